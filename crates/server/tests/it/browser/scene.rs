//! The environment of a test: a server, a driver, browsers, and screenshots after failures.

use std::env;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, LazyLock, Mutex, Weak};
use std::thread;
use std::time::Duration;

use futures::FutureExt;
use test_support::PATIENCE;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::browser::process::{Driver, TheServer, is_installed};
use crate::browser::session::{Browser, WindowSize, axe_path};

/// Many times what the longest test takes.
const LONGEST_TEST: Duration = Duration::from_secs(1200);

/// The driver and the browsers of all tests that run. A browser serves one test after the other, because each start
/// takes processor time.
struct BrowserPool {
    driver: Driver,
    idle: Mutex<Vec<Browser>>,
    /// Outlives the runtimes of the tests. `None` while the pool is dropped.
    runtime: Option<Runtime>,
}

impl BrowserPool {
    /// Starts a driver, unless another test has done so.
    fn shared() -> Arc<BrowserPool> {
        static SHARED: Mutex<Weak<BrowserPool>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap();
        shared.upgrade().unwrap_or_else(|| {
            let pool = Arc::new(BrowserPool {
                driver: Driver::start(),
                idle: Mutex::new(Vec::new()),
                runtime: Some(Runtime::new().unwrap()),
            });
            *shared = Arc::downgrade(&pool);
            pool
        })
    }

    async fn browser(&self, view: WindowSize) -> Browser {
        if let Some(browser) = take(&self.idle, view) {
            return browser;
        }
        let opened = Browser::open(&self.driver, view);
        let runtime = self.runtime.as_ref().unwrap();
        runtime.spawn(opened).await.expect("a browser")
    }
}

impl Drop for BrowserPool {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The processes and browsers of a test.
pub(crate) struct BrowserScene {
    pub(crate) server: Mutex<TheServer>,
    pool: Arc<BrowserPool>,
    browsers: Mutex<Vec<Browser>>,
    /// The unused ones.
    idle: Mutex<Vec<Browser>>,
}

impl BrowserScene {
    /// A browser that has stored nothing of this server, at an address of the page.
    pub(crate) async fn browser(&self, view: WindowSize, path: &str) -> Browser {
        let browser = match take(&self.idle, view) {
            Some(browser) => browser,
            None => {
                let browser = self.pool.browser(view).await;
                self.browsers.lock().unwrap().push(browser.clone());
                browser
            }
        };
        browser.go(&self.url(path)).await;
        browser.see(".link.online, .game.embedded").await;
        browser
    }

    /// Releases a browser for reuse.
    pub(crate) async fn leave(&self, browser: Browser) {
        browser.forget().await;
        self.idle.lock().unwrap().push(browser);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.server.lock().unwrap().url(path)
    }

    /// Leaves the browsers to other tests, or closes them after a failed test and keeps what they show.
    async fn leave_browsers(&self, name: &str, is_passed: bool) {
        let browsers = std::mem::take(&mut *self.browsers.lock().unwrap());
        for (number, browser) in browsers.into_iter().enumerate() {
            if !is_passed {
                browser.keep_evidence(&format!("{name}-{number}")).await;
            }
            if is_passed && browser.renew(&self.url("")).await.is_ok() {
                self.pool.idle.lock().unwrap().push(browser);
            } else {
                let _ = browser.client.close().await;
            }
        }
    }
}

fn take(idle: &Mutex<Vec<Browser>>, view: WindowSize) -> Option<Browser> {
    let mut idle = idle.lock().unwrap();
    let at = idle.iter().position(|browser| browser.view == view)?;
    Some(idle.swap_remove(at))
}

/// Limits the tests that use browsers at the same time: browsers keep processors busy, and most other tests wait.
static TURNS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(thread::available_parallelism().map_or(1, usize::from) + 1));

/// Runs a test, stops its server, and leaves its browsers to other tests.
pub(crate) async fn journey(name: &str, body: impl AsyncFnOnce(&BrowserScene)) {
    static IS_POSSIBLE: LazyLock<bool> = LazyLock::new(is_possible);
    if !*IS_POSSIBLE {
        return;
    }
    let pool = BrowserPool::shared();
    let _turn = TURNS.acquire().await;
    let scene = BrowserScene {
        server: Mutex::new(TheServer::start()),
        pool,
        browsers: Mutex::new(Vec::new()),
        idle: Mutex::new(Vec::new()),
    };
    let test = async {
        let ended = timeout(LONGEST_TEST, body(&scene)).await;
        ended.expect("a browser or the server does not answer");
    };
    let ended = AssertUnwindSafe(test).catch_unwind().await;
    // The browser that a failed test has left may not answer.
    let _ = timeout(PATIENCE, scene.leave_browsers(name, ended.is_ok())).await;
    drop(scene);
    if let Err(panic) = ended {
        std::panic::resume_unwind(panic);
    }
}

/// Whether a browser is installed; panics if one is required.
fn is_possible() -> bool {
    let missing: Vec<&str> = [
        ("chromium", is_installed("chromium")),
        ("chromedriver", is_installed("chromedriver")),
        ("axe-core", axe_path().is_file()),
    ]
    .into_iter()
    .filter_map(|(name, is_there)| (!is_there).then_some(name))
    .collect();
    let message = format!("no {}: scripts/test.sh installs it", missing.join(", no "));
    assert!(
        missing.is_empty() || env::var_os("CHECKERS_BROWSER").is_none(),
        "{message}"
    );
    if !missing.is_empty() {
        eprintln!("skipped: {message}");
    }
    missing.is_empty()
}
