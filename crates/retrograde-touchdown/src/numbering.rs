//! The dense numbering of the positions in which the game is not over.
//!
//! Positions with the same numbers of pawns of both sides in every row form a *group*. The groups
//! are consecutive, ordered by the rows that the pawns still have to go, so positions of equal
//! grade are consecutive and the game is solved in one pass. Within a group an index is a number in
//! mixed radix with one digit per row: the rank of the row's pattern among the patterns with the
//! same numbers of pawns.

use std::ops::Range;

use retrograde_game::{Flow, Random, Squares};

use crate::board::Position;
use crate::count;

/// The most groups kept in memory, at about 100 bytes each.
const MAX_GROUPS: usize = 4 << 20;
/// The patterns of a row are looked up in a table with 4^columns entries.
const MAX_COLUMNS: u32 = 8;
/// The offset of an empty slot; no group has it.
const VACANT: u64 = u64::MAX;

/// The pawns of a row: the class, and the rank among the rows of this class.
#[derive(Clone, Copy, Debug, Default)]
struct Pattern {
    class: u16,
    rank: u16,
}

/// All rows with the same numbers of pawns.
#[derive(Debug)]
struct Class {
    own: u32,
    other: u32,
    /// The bits of both sides' pawns, in ascending order.
    rows: Vec<(u16, u16)>,
}

/// A slot of the hash table; empty if the offset is [`VACANT`].
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    offset: u64,
}

/// The groups of a board, and tables to find the group of a position or an index.
#[derive(Debug)]
pub(crate) struct Numbering {
    columns: u32,
    rows: usize,
    /// By the `own << columns | other` of a row.
    patterns: Vec<Pattern>,
    classes: Vec<Class>,
    /// The number of patterns of each class.
    radix: Vec<u64>,
    /// A random number for every row and class. The key of a group is the exclusive or of the
    /// numbers of its rows.
    keys: Vec<u64>,
    /// The class of each row of each group.
    profiles: Vec<u8>,
    /// The first index of each group, and the end.
    offsets: Vec<u64>,
    /// `hints[index >> shift]` is the group of the first index with these leading bits.
    hints: Vec<u32>,
    shift: u32,
    /// Open addressing: the first index of a group by its key.
    slots: Vec<Slot>,
    /// The first index of each layer, and the end.
    layers: Vec<u64>,
}

fn classes(columns: u32) -> (Vec<Pattern>, Vec<Class>) {
    let mut classes: Vec<Class> = Vec::new();
    for own in 0..=columns {
        for other in 0..=columns - own {
            classes.push(Class { own, other, rows: Vec::new() });
        }
    }
    let mut patterns = vec![Pattern::default(); 1 << (2 * columns)];
    for own in 0..1_u16 << columns {
        for other in (0..1_u16 << columns).filter(|other| own & other == 0) {
            let fits = |class: &Class| class.own == own.count_ones() && class.other == other.count_ones();
            if let Some(at) = classes.iter().position(fits) {
                let rank = classes[at].rows.len() as u16;
                patterns[usize::from(own) << columns | usize::from(other)] =
                    Pattern { class: at as u16, rank };
                classes[at].rows.push((own, other));
            }
        }
    }
    (patterns, classes)
}

/// The state of the enumeration of groups.
struct Groups<'a> {
    classes: &'a [Class],
    columns: u32,
    rows: usize,
    profile: Vec<u8>,
    /// The grade and profile of every group.
    found: Vec<(u32, Vec<u8>)>,
}

impl Groups<'_> {
    /// Adds all groups that extend the profile.
    fn extend(&mut self, own: u32, other: u32, grade: u32) {
        let row = self.profile.len();
        if row == self.rows {
            if own > 0 && other > 0 {
                self.found.push((grade, self.profile.clone()));
            }
            return;
        }
        let classes = self.classes;
        for (number, class) in classes.iter().enumerate() {
            let reached = (row == 0 && class.own > 0) || (row == self.rows - 1 && class.other > 0);
            if reached || own + class.own > self.columns || other + class.other > self.columns {
                continue;
            }
            let to_go = class.own * row as u32 + class.other * (self.rows - 1 - row) as u32;
            self.profile.push(number as u8);
            self.extend(own + class.own, other + class.other, grade + to_go);
            self.profile.pop();
        }
    }
}

/// The number of groups of a board, without building them; `None` if its positions are not numbered.
fn group_count(columns: u32, rows: u32) -> Option<u64> {
    if columns > MAX_COLUMNS || u64::try_from(count::open(columns, rows)).is_err() {
        return None;
    }
    let size = columns as usize + 1;
    // By the numbers of pawns of both sides in the rows so far.
    let mut ways = vec![vec![0_u64; size]; size];
    ways[0][0] = 1;
    for row in 0..rows {
        let mut after = vec![vec![0_u64; size]; size];
        for (own, other) in (0..size).flat_map(|own| (0..size).map(move |other| (own, other))) {
            for more_own in 0..size - own {
                for more_other in 0..(size - other).min(size - more_own) {
                    let reached = (row == 0 && more_own > 0) || (row == rows - 1 && more_other > 0);
                    if !reached {
                        after[own + more_own][other + more_other] += ways[own][other];
                    }
                }
            }
        }
        ways = after;
    }
    let count = ways[1..].iter().flat_map(|others| &others[1..]).sum();
    (count <= MAX_GROUPS as u64).then_some(count)
}

/// The number of slots for `groups` groups.
fn slot_count(groups: usize) -> usize {
    (groups * 2).next_power_of_two()
}

impl Numbering {
    /// Whether a board can be numbered: it must not have too many columns, groups or positions.
    pub fn exists(columns: u32, rows: u32) -> bool {
        group_count(columns, rows).is_some()
    }

    /// The memory of the numbering for a board in bytes; 0 if it cannot be numbered.
    pub fn memory_for(columns: u32, rows: u32) -> u64 {
        let Some(groups) = group_count(columns, rows) else { return 0 };
        // During the enumeration each group is a grade and a separate list.
        let enumerated = (size_of::<(u32, Vec<u8>)>() as u64 + 32) * groups;
        // A profile, an offset, and at most two hints.
        let kept = (u64::from(rows) + 16) * groups;
        enumerated.max((slot_count(groups as usize) * size_of::<Slot>()) as u64) + kept
    }

    /// Creates the numbering for a board, if it can be numbered.
    pub fn new(columns: u32, rows: u32) -> Option<Numbering> {
        group_count(columns, rows)?;
        let total = u64::try_from(count::open(columns, rows)).ok()?;
        let (patterns, classes) = classes(columns);
        let rows = rows as usize;
        let mut groups = Groups { classes: &classes, columns, rows, profile: Vec::new(), found: Vec::new() };
        groups.extend(0, 0, 0);
        let mut found = groups.found;
        found.sort();
        let radix: Vec<u64> = classes.iter().map(|class| class.rows.len() as u64).collect();
        let (mut offsets, mut layers) = (Vec::with_capacity(found.len() + 1), Vec::new());
        let (mut end, mut last_grade) = (0_u64, None);
        for (grade, profile) in &found {
            if last_grade.replace(*grade) != Some(*grade) {
                layers.push(end);
            }
            offsets.push(end);
            end += profile.iter().map(|&class| radix[usize::from(class)]).product::<u64>();
        }
        debug_assert_eq!(end, total);
        offsets.push(end);
        layers.push(end);
        let profiles: Vec<u8> = found.into_iter().flat_map(|(_, profile)| profile).collect();
        let (hints, shift) = hints(&offsets);
        // Two groups share a key with a probability of at most one in a million; then other numbers
        // are drawn.
        let (keys, slots) = (0..).find_map(|seed| {
            let mut random = Random::new(seed);
            let keys: Vec<u64> = (0..rows * classes.len()).map(|_| random.bits()).collect();
            let slots = fill_slots(&keys, &profiles, rows, classes.len(), &offsets)?;
            Some((keys, slots))
        })?;
        Some(Numbering {
            columns,
            rows,
            patterns,
            classes,
            radix,
            keys,
            profiles,
            offsets,
            hints,
            shift,
            slots,
            layers,
        })
    }

    /// The number of positions, which is the end of the indices.
    pub fn end(&self) -> u64 {
        self.offsets[self.offsets.len() - 1]
    }

    /// The number of different grades.
    pub fn layer_count(&self) -> usize {
        self.layers.len() - 1
    }

    /// The indices of the positions with the `layer`-th grade from below.
    pub fn layer(&self, layer: usize) -> Range<u64> {
        self.layers[layer]..self.layers[layer + 1]
    }

    /// The index of a legal position that is not over.
    #[inline]
    pub fn index(&self, position: Position) -> u64 {
        let (mut own, mut other) = (position.own.0, position.other.0);
        let row_mask = (1_u64 << self.columns) - 1;
        let (mut key, mut within) = (0, 0);
        let class_count = self.classes.len();
        for keys in self.keys.chunks_exact(class_count) {
            let row = ((own & row_mask) << self.columns | (other & row_mask)) as usize;
            own >>= self.columns;
            other >>= self.columns;
            let pattern = self.patterns[row];
            let class = usize::from(pattern.class);
            key ^= keys[class];
            within = within * self.radix[class] + u64::from(pattern.rank);
        }
        let mut at = key as usize & (self.slots.len() - 1);
        loop {
            let slot = self.slots[at];
            if slot.key == key {
                return slot.offset + within;
            }
            assert!(slot.offset != VACANT, "{position:?} belongs to no group");
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// The group of an index, which must not be past the end.
    #[inline]
    fn group(&self, index: u64) -> usize {
        let hint = (index >> self.shift) as usize;
        // The group is in [first, last]; a later one begins past the index.
        let (first, last) = (self.hints[hint] as usize, self.hints[hint + 1] as usize);
        first + self.offsets[first + 1..=last].partition_point(|&offset| offset <= index)
    }

    /// Visits the positions of a range of indices, greatest index first. Within a group it only
    /// looks up the rows that change, without divisions.
    pub fn walk_down(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Position) -> Flow) -> Flow {
        let mut end = indices.end.min(self.end());
        let row_mask = (1_u64 << self.columns) - 1;
        // The patterns of each row, and the current one.
        let mut rows: Vec<(&[(u16, u16)], usize)> = Vec::with_capacity(self.rows);
        while indices.start < end {
            let group = self.group(end - 1);
            let Some(mut position) = self.position(end - 1) else { break };
            let profile = &self.profiles[group * self.rows..(group + 1) * self.rows];
            rows.clear();
            for (row, &class) in profile.iter().enumerate() {
                let bits = |set: Squares| set.0 >> (row as u32 * self.columns) & row_mask;
                let pattern =
                    self.patterns[(bits(position.own) << self.columns | bits(position.other)) as usize];
                rows.push((&self.classes[usize::from(class)].rows, usize::from(pattern.rank)));
            }
            let start = self.offsets[group].max(indices.start);
            for index in (start..end).rev() {
                visit(index, position)?;
                // The last row is the least significant.
                for (row, (patterns, rank)) in rows.iter_mut().enumerate().rev() {
                    let carries = *rank == 0;
                    *rank = if carries { patterns.len() - 1 } else { *rank - 1 };
                    let (own, other) = patterns[*rank];
                    let shift = row as u32 * self.columns;
                    let put = |set: Squares, row: u16| {
                        Squares(set.0 & !(row_mask << shift) | u64::from(row) << shift)
                    };
                    position = Position { own: put(position.own, own), other: put(position.other, other) };
                    if !carries {
                        break;
                    }
                }
            }
            end = start;
        }
        Flow::Continue(())
    }

    /// The position with an index.
    #[inline]
    pub fn position(&self, index: u64) -> Option<Position> {
        if index >= self.end() {
            return None;
        }
        let group = self.group(index);
        let mut within = index - self.offsets[group];
        let profile = &self.profiles[group * self.rows..(group + 1) * self.rows];
        let (mut own, mut other) = (0, 0);
        for &class in profile.iter().rev() {
            let radix = self.radix[usize::from(class)];
            let (rank, rest) = if radix == 1 { (0, within) } else { (within % radix, within / radix) };
            within = rest;
            let (x, o) = self.classes[usize::from(class)].rows[rank as usize];
            own = own << self.columns | u64::from(x);
            other = other << self.columns | u64::from(o);
        }
        Some(Position { own: Squares(own), other: Squares(other) })
    }
}

/// Creates hints, about one per group.
fn hints(offsets: &[u64]) -> (Vec<u32>, u32) {
    let (groups, end) = (offsets.len() - 1, offsets[offsets.len() - 1]);
    let mut shift = 0;
    while end >> shift > groups as u64 {
        shift += 1;
    }
    let mut hints = Vec::new();
    let mut group = 0;
    for hint in 0..=end >> shift {
        while group + 1 < groups && offsets[group + 1] <= hint << shift {
            group += 1;
        }
        hints.push(group as u32);
    }
    hints.push(groups as u32 - 1);
    (hints, shift)
}

/// Creates the table of groups by key; `None` if two groups have the same key.
fn fill_slots(
    keys: &[u64],
    profiles: &[u8],
    rows: usize,
    classes: usize,
    offsets: &[u64],
) -> Option<Vec<Slot>> {
    let groups = offsets.len() - 1;
    let mut slots = vec![Slot { key: 0, offset: VACANT }; slot_count(groups)];
    let mask = slots.len() - 1;
    for (profile, &offset) in profiles.chunks_exact(rows).zip(offsets) {
        let key = (0..rows).fold(0, |key, row| key ^ keys[row * classes + usize::from(profile[row])]);
        // An empty slot has the key 0, which must not be found.
        if key == 0 {
            return None;
        }
        let mut at = key as usize & mask;
        while slots[at].offset != VACANT {
            if slots[at].key == key {
                return None;
            }
            at = (at + 1) & mask;
        }
        slots[at] = Slot { key, offset };
    }
    Some(slots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_counts_agree_with_the_enumeration() {
        for (columns, rows) in [(1, 2), (1, 9), (2, 3), (3, 3), (4, 4), (2, 12), (5, 4), (8, 2), (3, 7)] {
            let made = Numbering::new(columns, rows).expect("it is small");
            let groups = made.offsets.len() as u64 - 1;
            assert_eq!(group_count(columns, rows), Some(groups), "{columns}x{rows}");
            let kept = made.slots.len() * size_of::<Slot>() + made.profiles.len() + made.offsets.len() * 8;
            assert!(Numbering::memory_for(columns, rows) >= kept as u64, "{columns}x{rows}");
        }
        for (columns, rows) in [(9, 3), (8, 8)] {
            assert!(!Numbering::exists(columns, rows));
            assert_eq!(Numbering::memory_for(columns, rows), 0);
        }
    }
}
