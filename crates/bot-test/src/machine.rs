//! What a match was played with: numbers mean little without their machine.

use serde::{Deserialize, Serialize};

/// The machine a match was played on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The operating system and the processor's family, as Rust names them.
    pub platform: String,
    /// The processor's model, if the system reports it.
    pub processor: Option<String>,
    /// How many threads run at the same time.
    pub threads: usize,
}

impl Machine {
    /// This machine. Reads `/proc/cpuinfo` where there is one.
    pub fn this() -> Machine {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        Machine {
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: model_name(&cpuinfo),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

fn model_name(cpuinfo: &str) -> Option<String> {
    let (_, model) = (cpuinfo.lines())
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "model name")?;
    Some(model.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_the_first_named() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Abacus 9000\nprocessor\t: 1\nmodel name\t: B";
        assert_eq!(model_name(cpuinfo).as_deref(), Some("Abacus 9000"));
        assert_eq!(model_name(""), None);
    }
}
