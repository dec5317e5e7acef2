//! Work shared out evenly: what takes longest begins first, and what takes longer than all have time for is done in pieces.

use std::time::Duration;

use rayon::prelude::*;

/// Pieces are no shorter than this: each has a card of its own, and does again what it would have shared.
const SHORTEST: Duration = Duration::from_millis(2);
/// A piece has at least so many programs.
const FEWEST: usize = 4;

/// How long the programs of a task take, as far as that is known. What is decided by it changes no result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Seconds a program on average; nothing as long as none was tried.
    each: Option<f64>,
}

impl Cost {
    /// Programs were tried, and took so long.
    pub(crate) fn learn(&mut self, programs: usize, time: Duration) {
        if programs > 0 {
            let now = time.as_secs_f64() / programs as f64;
            self.each = Some(self.each.map_or(now, |before| f64::midpoint(before, now)));
        }
    }

    /// Expected seconds for so many programs; `None` as long as none was tried.
    pub(crate) fn of(self, programs: usize) -> Option<f64> {
        self.each.map(|each| each * programs as f64)
    }

    /// In how many pieces so many programs are done, if each is to take no longer than this.
    pub(crate) fn pieces(self, programs: usize, longest: Duration) -> usize {
        let Some(time) = self.of(programs) else { return 1 };
        let pieces = (time / longest.max(SHORTEST).as_secs_f64()).ceil() as usize;
        pieces.clamp(1, (programs / FEWEST).max(1))
    }
}

/// Pieces of which each thread would have so many, if all were as long as they may be.
const PIECES_EACH: usize = 16;

/// How long a piece may take, so that no thread works alone at the end for long.
pub(crate) fn longest_piece(costs: impl Iterator<Item = Option<f64>>) -> Duration {
    let all: f64 = costs.flatten().sum();
    Duration::try_from_secs_f64(all / (PIECES_EACH * rayon::current_num_threads()) as f64).unwrap_or(Duration::MAX)
}

/// Maps items, the most expensive first; the results are in the order of the items.
pub(crate) fn longest_first<T: Send, S, R: Send>(
    items: Vec<T>,
    cost: impl Fn(&T) -> Option<f64>,
    init: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, T) -> R + Sync + Send,
) -> Vec<R> {
    let mut queue: Vec<(f64, usize, T)> =
        items.into_iter().enumerate().map(|(k, item)| (cost(&item).unwrap_or(f64::INFINITY), k, item)).collect();
    queue.sort_by(|(a, i, _), (b, k, _)| b.total_cmp(a).then(i.cmp(k)));
    let mut done: Vec<(usize, R)> = queue.into_iter().par_bridge().map_init(init, |state, (_, k, item)| (k, work(state, item))).collect();
    done.sort_unstable_by_key(|&(k, _)| k);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let doubled = longest_first((0..100).collect(), |&k| (k % 7 != 0).then_some(f64::from(k)), || (), |(), k| 2 * k);
        assert_eq!(doubled, (0..100).map(|k| 2 * k).collect::<Vec<i32>>());
    }

    #[test]
    fn only_what_takes_long_is_done_in_pieces() {
        let mut cost = Cost::default();
        assert_eq!(cost.pieces(100, Duration::from_millis(10)), 1);
        cost.learn(10, Duration::from_millis(10));
        assert_eq!(cost.pieces(100, Duration::from_millis(200)), 1);
        assert_eq!(cost.pieces(100, Duration::from_millis(10)), 10);
        // Neither shorter than is worth it, nor with too few programs.
        assert_eq!(cost.pieces(100, Duration::ZERO), 25);
        assert_eq!(cost.pieces(3, Duration::ZERO), 1);
        cost.learn(10, Duration::from_millis(30));
        assert_eq!(cost.pieces(100, Duration::from_millis(100)), 2);
    }
}
