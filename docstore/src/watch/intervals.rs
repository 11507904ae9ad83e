//! Ranges of keys and whom they belong to: a treap that knows, below every node, where its last range ends, so that
//! finding the ranges around a point costs the logarithm of how many there are, and what is found.

use std::cmp::Ordering;

use crate::encoding::key::Key;

use super::ranges::LiveResultId;

/// Half-open ranges of keys, each of one live result.
#[derive(Debug, Default)]
pub(super) struct Intervals {
    root: Link,
    /// Number of insertions; hashed, it gives every node its rank.
    inserted: u64,
}

type Link = Option<Box<Node>>;

#[derive(Debug)]
struct Node {
    start: Key,
    end: Key,
    live: LiveResultId,
    /// The largest `end` in this subtree.
    last: Key,
    /// No child's is higher. Random enough to keep the tree shallow.
    rank: u64,
    left: Link,
    right: Link,
}

impl Node {
    fn compare(&self, start: &[u8], end: &[u8], live: LiveResultId) -> Ordering {
        (self.start.as_slice(), self.end.as_slice(), self.live).cmp(&(start, end, live))
    }

    /// Brings `last` up to date after a child has changed.
    fn measure(&mut self) {
        let children = [&self.left, &self.right].into_iter().flatten().map(|child| &child.last);
        let last = children.fold(&self.end, |a, b| a.max(b));
        if self.last != *last {
            self.last = last.clone();
        }
    }
}

impl Intervals {
    pub(super) fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Adds a range.
    pub(super) fn insert(&mut self, start: Key, end: Key, live: LiveResultId) {
        self.inserted += 1;
        let (before, after) = split(self.root.take(), &start, &end, live);
        let last = end.clone();
        let node = Node { start, end, live, last, rank: mixed(self.inserted), left: None, right: None };
        self.root = merge(merge(before, Some(Box::new(node))), after);
    }

    /// Removes one range that was added with the same arguments.
    pub(super) fn remove(&mut self, start: &[u8], end: &[u8], live: LiveResultId) {
        self.root = remove(self.root.take(), start, end, live);
    }

    /// Hands the live result of every range around `point` to `found`.
    pub(super) fn around(&self, point: &[u8], mut found: impl FnMut(LiveResultId)) {
        let mut open: Vec<&Node> = self.root.as_deref().into_iter().collect();
        while let Some(node) = open.pop() {
            if node.last.as_slice() <= point {
                continue;
            }
            open.extend(node.left.as_deref());
            if node.start.as_slice() <= point {
                if point < node.end.as_slice() {
                    found(node.live);
                }
                open.extend(node.right.as_deref());
            }
        }
    }
}

/// Splits a tree into the nodes that sort before a range, and the others.
fn split(link: Link, start: &[u8], end: &[u8], live: LiveResultId) -> (Link, Link) {
    let Some(mut node) = link else { return (None, None) };
    if node.compare(start, end, live).is_lt() {
        let (before, after) = split(node.right.take(), start, end, live);
        node.right = before;
        node.measure();
        (Some(node), after)
    } else {
        let (before, after) = split(node.left.take(), start, end, live);
        node.left = after;
        node.measure();
        (before, Some(node))
    }
}

/// Two trees as one; everything in `a` sorts before everything in `b`.
fn merge(a: Link, b: Link) -> Link {
    match (a, b) {
        (Some(mut a), Some(mut b)) => Some(if a.rank >= b.rank {
            a.right = merge(a.right.take(), Some(b));
            a.measure();
            a
        } else {
            b.left = merge(Some(a), b.left.take());
            b.measure();
            b
        }),
        (a, b) => a.or(b),
    }
}

fn remove(link: Link, start: &[u8], end: &[u8], live: LiveResultId) -> Link {
    let mut node = link?;
    match node.compare(start, end, live) {
        Ordering::Equal => return merge(node.left, node.right),
        Ordering::Less => node.right = remove(node.right.take(), start, end, live),
        Ordering::Greater => node.left = remove(node.left.take(), start, end, live),
    }
    node.measure();
    Some(node)
}

/// A number whose bits all depend on all of `number`'s. Source: the finalizer of `SplitMix64`.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn depth(link: &Link) -> usize {
        link.as_ref().map_or(0, |node| 1 + depth(&node.left).max(depth(&node.right)))
    }

    proptest! {
        /// Whatever is added and removed, the ranges around a point are those that a look at each one finds.
        #[test]
        fn ranges_around_a_point_are_all_found(
            steps in proptest::collection::vec((any::<bool>(), 0u8..20, 0u8..20, 0u64..4), 0..80), point in 0u8..22
        ) {
            let mut tree = Intervals::default();
            let mut naive: Vec<(u8, u8, u64)> = Vec::new();
            for (add, start, len, live) in steps {
                let range = (start, start + len, live);
                if add {
                    tree.insert(vec![range.0], vec![range.1], live);
                    naive.push(range);
                } else {
                    tree.remove(&[range.0], &[range.1], live);
                    if let Some(at) = naive.iter().position(|other| *other == range) {
                        naive.swap_remove(at);
                    }
                }
                let mut found = Vec::new();
                tree.around(&[point], |live| found.push(live));
                found.sort_unstable();
                let inside = naive.iter().filter(|(start, end, _)| *start <= point && point < *end);
                let mut expected: Vec<u64> = inside.map(|(_, _, live)| *live).collect();
                expected.sort_unstable();
                prop_assert_eq!(found, expected);
                prop_assert_eq!(tree.is_empty(), naive.is_empty());
            }
        }
    }

    #[test]
    fn the_tree_stays_shallow() {
        let mut tree = Intervals::default();
        for n in 0..20_000u32 {
            tree.insert(n.to_be_bytes().to_vec(), (n + 2).to_be_bytes().to_vec(), u64::from(n));
        }
        assert!(depth(&tree.root) < 60, "{} deep", depth(&tree.root));
    }
}
