//! How the costs of two searches on the same positions compare.

use std::fmt;

use super::numbers::NONE;
use super::{Comparison, SearchCosts};
use crate::statistics::Estimate;

/// A 95 % interval reaches this many standard errors to each side.
const Z_95: f64 = 1.959_963_984_540_054;

/// What a search costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cost {
    /// Positions visited; the same on every machine.
    Nodes,
    /// Nanoseconds.
    Time,
}

impl Cost {
    fn of(self, costs: &SearchCosts) -> &[u64] {
        match self {
            Cost::Nodes => &costs.nodes,
            Cost::Time => &costs.time_ns,
        }
    }

    /// The geometric mean over all positions, lest a few endgames of kings outweigh all others;
    /// `None` without any.
    pub(super) fn mean(self, costs: &SearchCosts) -> Option<f64> {
        let logs: Vec<f64> = self.of(costs).iter().map(|&cost| log(cost)).collect();
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    }

    /// How many times as much the one search costs as the other: the geometric mean over the
    /// positions, with a 95 % interval of where it would be on other positions of the kind.
    pub(super) fn ratio(self, one: &SearchCosts, other: &SearchCosts) -> Option<Estimate> {
        let pairs = self.of(one).iter().zip(self.of(other));
        let logs: Vec<f64> = pairs.map(|(&one, &other)| log(one) - log(other)).collect();
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        let reach = Z_95 * (squares / (count - 1.0) / count).sqrt();
        (logs.len() > 1).then(|| Estimate {
            value: mean.exp(),
            low: (mean - reach).exp(),
            high: (mean + reach).exp(),
        })
    }

    /// How deep `bot` searches at a cost, interpolated between depths.
    pub(super) fn depth_at(self, comparison: &Comparison, bot: &str, cost: f64) -> Reach {
        let costs = comparison.costs.iter().filter(|costs| costs.bot == bot);
        let points: Vec<(u32, f64)> = costs
            .filter_map(|costs| Some((costs.depth, self.mean(costs)?)))
            .collect();
        for pair in points.windows(2) {
            let &[(depth, low), (_, high)] = pair else {
                continue;
            };
            if (low..high).contains(&cost) {
                let share = (cost / low).ln() / (high / low).ln();
                return Reach::At(f64::from(depth) + share);
            }
        }
        match points.last() {
            Some(&(deepest, most)) if cost >= most => Reach::Beyond(deepest),
            Some(_) | None => Reach::Unknown,
        }
    }
}

/// A clock may say that no time has passed.
fn log(cost: u64) -> f64 {
    (cost.max(1) as f64).ln()
}

/// How deep a search reaches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Reach {
    /// So many plies.
    At(f64),
    /// At least as deep as the deepest search there is.
    Beyond(u32),
    /// Nothing to tell it from.
    Unknown,
}

impl Reach {
    /// How many plies more than `depth` are reached, at least.
    pub(super) fn gain(self, depth: u32) -> Option<f64> {
        match self {
            Reach::At(reached) => Some(reached - f64::from(depth)),
            Reach::Beyond(deepest) => Some(f64::from(deepest) - f64::from(depth)),
            Reach::Unknown => None,
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reach::At(depth) => write!(f, "{depth:.1}"),
            Reach::Beyond(deepest) => write!(f, "≥ {deepest}"),
            Reach::Unknown => f.write_str(NONE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::fixtures::comparison;

    fn costs(nodes: &[u64]) -> SearchCosts {
        SearchCosts {
            bot: "minimax".to_owned(),
            depth: 1,
            nodes: nodes.to_vec(),
            time_ns: nodes.iter().map(|_| 0).collect(),
        }
    }

    #[test]
    fn a_ratio_is_a_geometric_mean_with_its_interval() {
        let ratio = Cost::Nodes
            .ratio(&costs(&[20, 80]), &costs(&[10, 10]))
            .unwrap();
        assert!((ratio.value - 4.0).abs() < 1e-9, "{ratio:?}");
        // ln 2 and ln 8: a standard error of ln 2.
        assert!((ratio.high / ratio.value - 2_f64.powf(Z_95)).abs() < 1e-9);
        assert!((ratio.value / ratio.low - 2_f64.powf(Z_95)).abs() < 1e-9);
    }

    #[test]
    fn no_ratio_is_not_a_number() {
        assert_eq!(Cost::Nodes.ratio(&costs(&[]), &costs(&[])), None);
        assert_eq!(Cost::Nodes.ratio(&costs(&[5]), &costs(&[5])), None);
        let none = Cost::Time.ratio(&costs(&[5, 6]), &costs(&[5, 6])).unwrap();
        assert_eq!((none.low, none.value, none.high), (1.0, 1.0, 1.0));
    }

    #[test]
    fn depths_are_interpolated() {
        let comparison = comparison(1.0);
        let mean = |bot, depth| {
            Cost::Nodes
                .mean(comparison.costs(bot, depth).unwrap())
                .unwrap()
        };
        let at = |cost| Cost::Nodes.depth_at(&comparison, "alpha-beta", cost);
        assert_eq!(at(mean("alpha-beta", 4)), Reach::At(4.0));
        let Reach::At(depth) = at(mean("minimax", 4)) else {
            panic!("within the depths there are");
        };
        assert!((6.0..7.0).contains(&depth), "{depth}");
        assert_eq!(at(mean("minimax", 8)), Reach::Beyond(10));
        assert_eq!(at(0.5), Reach::Unknown);
    }
}
