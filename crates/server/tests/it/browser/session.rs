//! A browser window, driven with WebDriver.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;
use std::{env, fs};

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction as Pointer};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use test_support::PATIENCE;

use crate::browser::process::{Driver, is_installed};
use crate::is_exhaustive;

const POLL: Duration = Duration::from_millis(20);

/// The size of a window.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum WindowSize {
    #[default]
    Desktop,
    /// The same in the whole browser, since its shell has no notifications.
    Whole,
    Phone,
    /// The narrowest phone: 320 by 568.
    Small,
}

/// The rules that axe checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rules {
    All,
    Contrast,
}

#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) client: Client,
    pub(crate) view: WindowSize,
}

/// Whether the page is kept for when there is no server.
pub(crate) const IS_KEPT: &str = "navigator.serviceWorker.ready.then(() => { window.isKept = true; }); return window.isKept === true";

impl Browser {
    /// A browser with a new profile. Its connection belongs to the runtime that polls the future.
    pub(crate) fn open(driver: &Driver, view: WindowSize) -> impl Future<Output = Browser> + use<> {
        let folder = driver.profiles.as_ref().unwrap().path();
        let profile = tempfile::tempdir_in(folder).unwrap().keep();
        let mut options = json!({
            "args": [
                "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                "--force-device-scale-factor=1", "--window-size=1280,943", "--lang=en-US",
                "--no-first-run", "--autoplay-policy=no-user-gesture-required",
                format!("--user-data-dir={}", profile.display()),
            ],
            "prefs": {"intl.accept_languages": "en-US,en", "download.default_directory": profile},
        });
        // It starts faster and takes less time than the whole browser.
        static HAS_SHELL: LazyLock<bool> =
            LazyLock::new(|| is_installed("chromium-headless-shell"));
        if *HAS_SHELL && view != WindowSize::Whole {
            options["binary"] = json!(format!(
                "{}/tests/it/browser/headless-shell.sh",
                env!("CARGO_MANIFEST_DIR")
            ));
        }
        if let Some((width, height)) = match view {
            WindowSize::Desktop | WindowSize::Whole => None,
            WindowSize::Phone => Some((412, 839)),
            WindowSize::Small => Some((320, 568)),
        } {
            options["mobileEmulation"] = json!({"deviceMetrics": {
                "width": width, "height": height, "pixelRatio": 1, "touch": true, "mobile": true,
            }});
        }
        let capabilities = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        });
        let address = format!("http://127.0.0.1:{}", driver.program.port);
        async move {
            let client = ClientBuilder::new(HttpConnector::new())
                .capabilities(capabilities.as_object().unwrap().clone())
                .connect(&address)
                .await
                .expect("a browser");
            Browser { client, view }
        }
    }

    pub(crate) async fn go(&self, url: &str) {
        self.client.goto(url).await.unwrap();
    }

    /// Waits until an element matches.
    pub(crate) async fn see(&self, css: &str) {
        self.until(&format!("return document.querySelector({css:?}) != null"))
            .await;
    }

    /// Waits until no element matches.
    pub(crate) async fn see_gone(&self, css: &str) {
        self.until(&format!("return document.querySelector({css:?}) == null"))
            .await;
    }

    /// Waits until an element contains a text.
    pub(crate) async fn read(&self, css: &str, text: &str) {
        let texts = format!("[...document.querySelectorAll({css:?})].map((e) => e.textContent)");
        let found = format!("return {texts}.some((found) => found.includes({text:?}))");
        if self.wait_for(&found).await.is_none() {
            let texts = self.run(&format!("return {texts}")).await;
            panic!("waited in vain for {text:?} in {css:?}: {texts}");
        }
    }

    /// Whether a script returns true.
    pub(crate) async fn holds(&self, script: &str) -> bool {
        self.run(script).await == Value::Bool(true)
    }

    /// Waits until a script returns true.
    pub(crate) async fn until(&self, script: &str) {
        let done = self.wait_for(script).await;
        assert!(done.is_some(), "waited in vain: {script}");
    }

    /// What a script returns once that is neither false nor nothing; `None` after the timeout.
    async fn wait_for(&self, script: &str) -> Option<Value> {
        let begin = tokio::time::Instant::now();
        while begin.elapsed() < PATIENCE {
            let found = self.wait_a_second(script).await;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// As `wait_for`, for about a second. The page repeats the script, because each command of the driver takes
    /// milliseconds. A `TypeError` is a property of an element that is not there yet.
    async fn wait_a_second(&self, script: &str) -> Option<Value> {
        let repeated = format!(
            "const done = arguments[0]; let tries = 50; \
             const look = () => {{ let found; try {{ found = (() => {{ {script} }})(); }} \
             catch (error) {{ if (!(error instanceof TypeError)) return done(`failed: ${{error}}`); }} \
             if (found || --tries === 0) done(found); else setTimeout(look, 20); }}; look();"
        );
        match self.client.execute_async(&repeated, Vec::new()).await {
            Ok(Value::Null | Value::Bool(false)) => None,
            Ok(Value::String(error)) => panic!("{error}: {script}"),
            Ok(found) => Some(found),
            // The page was left meanwhile.
            Err(_) => {
                tokio::time::sleep(POLL).await;
                None
            }
        }
    }

    /// Clicks or taps the middle of an element, once no animation or notice covers it.
    pub(crate) async fn click(&self, css: &str) {
        let script = format!(
            "const element = document.querySelector({css:?}); \
             element?.scrollIntoView({{ block: 'nearest', inline: 'nearest', behavior: 'instant' }}); \
             const box = element?.getClientRects()[0]; \
             if (!box?.width || !box.height) return null; \
             const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]; \
             const hit = document.elementFromPoint(x, y); \
             return element.contains(hit) ? [x, y] : null"
        );
        self.see(css).await;
        let point = self.wait_for(&script).await;
        let point = point.unwrap_or_else(|| panic!("{css:?} is covered or has no size"));
        self.click_at(&point[0], &point[1]).await;
    }

    /// Clicks or taps a point of the window.
    pub(crate) async fn click_at(&self, x: &Value, y: &Value) {
        if self.view == WindowSize::Desktop {
            for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
                let button = if kind == "mouseMoved" { "none" } else { "left" };
                let event =
                    json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1});
                self.devtools("Input.dispatchMouseEvent", event).await;
            }
        } else {
            let touch = json!({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]});
            self.devtools("Input.dispatchTouchEvent", touch).await;
            let lift = json!({"type": "touchEnd", "touchPoints": []});
            self.devtools("Input.dispatchTouchEvent", lift).await;
        }
    }

    async fn element(&self, css: &str) -> Element {
        self.see(css).await;
        self.client.find(Locator::Css(css)).await.unwrap()
    }

    pub(crate) async fn fill(&self, css: &str, text: &str) {
        let field = self.element(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    pub(crate) async fn choose(&self, css: &str, value: &str) {
        let field = self.element(css).await;
        field.select_by_value(value).await.unwrap();
    }

    /// Presses a key at the focus.
    pub(crate) async fn press(&self, key: Key) {
        self.press_letter(&key.to_string()).await;
    }

    /// Types a letter at the focus.
    pub(crate) async fn press_letter(&self, letter: &str) {
        let element = self.client.active_element().await.unwrap();
        element.send_keys(letter).await.unwrap();
    }

    pub(crate) async fn drag(&self, from: &str, to: &str) {
        self.drag_with(MOUSE_BUTTON_LEFT, from, to).await;
    }

    /// Drags with a mouse button; without a distance it is a click.
    pub(crate) async fn drag_with(&self, button: u64, from: &str, to: &str) {
        let (from, to) = (self.element(from).await, self.element(to).await);
        let step = Some(Duration::from_millis(30));
        let over = |element| Pointer::MoveToElement {
            element,
            duration: step,
            x: 0.0,
            y: 0.0,
        };
        let actions = MouseActions::new("mouse".into())
            .then(over(from))
            .then(Pointer::Down { button })
            .then(over(to))
            .then(Pointer::Up { button });
        self.client.perform_actions(actions).await.unwrap();
    }

    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// Runs a script with the page's `app`, the exports of its modules as `page`, and an argument.
    pub(crate) async fn with_app(&self, script: &str, argument: Value) -> Value {
        let script = format!(
            "const [argument, done] = arguments; import(document.scripts[0].src)\
             .then(async (page) => {{ const {{ app }} = page; {script} }}).then(done, (e) => done(`failed: ${{e}}`))"
        );
        let result = self.client.execute_async(&script, vec![argument]).await;
        let result = result.unwrap();
        let failed = result
            .as_str()
            .is_some_and(|text| text.starts_with("failed: "));
        assert!(!failed, "{result}: {script}");
        result
    }

    /// Resizes the window, with mouse or touch input.
    pub(crate) async fn resize(&self, width: u32, height: u32, touch: bool) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics)
            .await;
        self.devtools(
            "Emulation.setTouchEmulationEnabled",
            json!({"enabled": touch}),
        )
        .await;
        let drawn = "const done = arguments[0]; scrollTo(0, 0); \
                     requestAnimationFrame(() => requestAnimationFrame(() => done(true)))";
        self.client.execute_async(drawn, Vec::new()).await.unwrap();
    }

    /// Whether the page may use files that the browser or its service worker keeps.
    pub(crate) async fn keep_files(&self, keep: bool) {
        self.devtools("Network.enable", json!({})).await;
        self.devtools("Network.setCacheDisabled", json!({"cacheDisabled": !keep}))
            .await;
        self.devtools("Network.setBypassServiceWorker", json!({"bypass": !keep}))
            .await;
    }

    /// Sends a DevTools command that WebDriver lacks.
    pub(crate) async fn devtools(&self, command: &str, params: Value) {
        self.try_devtools(command, params).await.unwrap();
    }

    async fn try_devtools(&self, command: &str, params: Value) -> Result<Value, CmdError> {
        let body = json!({"cmd": command, "params": params});
        let command = Raw("POST", "goog/cdp/execute", Some(body));
        self.client.issue_cmd(command).await
    }

    pub(crate) async fn picture(&self, path: &Path) {
        fs::write(path, self.client.screenshot().await.unwrap()).unwrap();
    }

    /// Checks the page: no errors in the console, no horizontal scrolling and, in exhaustive tests,
    /// no violations found by axe. `states` always runs axe on a sample of the states of the page.
    pub(crate) async fn is_in_order(&self) {
        let mut problems = self.problems().await;
        if is_exhaustive() {
            problems.extend(self.violations(Rules::All).await);
        }
        assert_eq!(problems, Vec::<String>::new());
    }

    pub(crate) async fn problems(&self) -> Vec<String> {
        let mut problems = self.errors().await;
        let fits = "return document.documentElement.scrollWidth <= innerWidth";
        if !self.holds(fits).await {
            problems.push("scrolls sideways".to_owned());
        }
        if self.view != WindowSize::Desktop {
            problems.extend(self.too_small_to_touch().await);
        }
        problems
    }

    /// The touch targets less than 40 pixels high. A checkbox counts with its label.
    async fn too_small_to_touch(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('button, summary, select, label.check, a.button, nav a, \
                      input:not([type=checkbox])')].filter((e) => e.checkVisibility()) \
                      .filter((e) => e.getBoundingClientRect().height < 39.5) \
                      .map((e) => `hard to touch: ${e.outerHTML.slice(0, 160)}`)";
        serde_json::from_value(self.run(script).await).unwrap()
    }

    /// The rules of axe that the page breaks.
    pub(crate) async fn violations(&self, rules: Rules) -> Vec<String> {
        if self.holds("return window.axe == null").await {
            let axe = fs::read_to_string(axe_path()).unwrap();
            self.client.execute(&axe, Vec::new()).await.unwrap();
        }
        let mut options = json!({"resultTypes": ["violations"]});
        if rules == Rules::Contrast {
            options["runOnly"] = json!(["color-contrast"]);
        }
        let run = "const [options, done] = arguments; axe.run(options).then((r) => done(r.violations.map((v) => \
                   `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).slice(0, 3).join(' | ')}`)), \
                   (e) => done([`axe: ${e}`]))";
        let found = self.client.execute_async(run, vec![options]).await.unwrap();
        serde_json::from_value(found).unwrap()
    }

    /// The errors in the console, except for what a lost connection or the service worker without a server says.
    async fn errors(&self) -> Vec<String> {
        const LOST: [&str; 2] = ["WebSocket connection to", "when fetching the script"];
        let log = self.log().await.unwrap();
        let entries = log.as_array().unwrap().iter();
        entries
            .filter(|entry| entry["level"] == "SEVERE")
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            .filter(|message| !LOST.iter().any(|lost| message.contains(lost)))
            .collect()
    }

    /// Takes what the console has said since the last time.
    async fn log(&self) -> Result<Value, CmdError> {
        let kind = json!({"type": "browser"});
        let command = Raw("POST", "se/log", Some(kind));
        self.client.issue_cmd(command).await
    }

    /// Clears the storage while no page can write to it.
    pub(crate) async fn forget(&self) {
        let here = self.client.current_url().await.unwrap();
        self.go(here.join("/robots.txt").unwrap().as_str()).await;
        self.run("sessionStorage.clear(); localStorage.clear();")
            .await;
        self.go("about:blank").await;
    }

    /// Prepares it for another test: opens a new window in place of all others, and clears what the page at this
    /// origin has stored and the console has said.
    pub(crate) async fn renew(&self, origin: &str) -> Result<(), CmdError> {
        let fresh = self.client.new_window(true).await?.handle;
        for window in self.client.windows().await? {
            if window != fresh {
                self.client.switch_to_window(window).await?;
                self.client.close_window().await?;
            }
        }
        self.client.switch_to_window(fresh).await?;
        let all = json!({"origin": origin, "storageTypes": "all"});
        self.try_devtools("Storage.clearDataForOrigin", all).await?;
        self.log().await?;
        Ok(())
    }

    /// Saves a screenshot and the page of a failed test.
    pub(crate) async fn keep_evidence(&self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("journeys");
        let _ = fs::create_dir_all(&folder);
        if let Ok(picture) = self.client.screenshot().await {
            let _ = fs::write(folder.join(format!("{name}.png")), picture);
        }
        if let Ok(source) = self.client.source().await {
            let _ = fs::write(folder.join(format!("{name}.html")), source);
        }
        eprintln!("see {}", folder.join(name).display());
    }
}

/// An endpoint of the driver without a method in the client library.
#[derive(Debug)]
struct Raw(&'static str, &'static str, Option<Value>);

impl WebDriverCompatibleCommand for Raw {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.1
        ))
    }

    fn method_and_body(&self, _: &url::Url) -> (hyper::Method, Option<String>) {
        let method = self.0.parse().unwrap_or(hyper::Method::GET);
        (method, self.2.as_ref().map(Value::to_string))
    }
}

/// The path where `scripts/test.sh` installs axe-core.
pub(crate) fn axe_path() -> PathBuf {
    let modules = env::var_os("CHECKERS_NODE_MODULES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/node/node_modules"),
        PathBuf::from,
    );
    modules.join("axe-core/axe.min.js")
}
