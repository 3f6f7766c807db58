//! A part of a long list.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

/// The requested part of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListPage {
    /// The number of entries to skip.
    pub offset: u64,
    /// The maximum number of entries.
    pub limit: u64,
}

impl ListPage {
    /// The whole list.
    pub const ALL: ListPage = ListPage { offset: 0, limit: u64::MAX };

    /// The range of this page in a list of `count` entries, and its description unless it is the whole list.
    pub(crate) fn of(self, count: usize) -> (Range<usize>, Option<GivenPage>) {
        let count = count as u64;
        let from = self.offset.min(count);
        let until = from.saturating_add(self.limit).min(count);
        let next = (until < count && until > from).then_some(until);
        let page = GivenPage { offset: self.offset, count, next };
        (from as usize..until as usize, (from > 0 || until < count || self.offset > 0).then_some(page))
    }
}

/// The part of a long list that an answer has; omitted if the answer has all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct GivenPage {
    /// Entries before this page.
    pub offset: u64,
    /// Entries of the whole list.
    pub count: u64,
    /// The offset of the next page; omitted on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_name_the_next_page() {
        let page = |offset, limit, count| ListPage { offset, limit }.of(count);
        let given = |offset, count, next| Some(GivenPage { offset, count, next });
        assert_eq!(ListPage::ALL.of(5), (0..5, None));
        assert_eq!(page(0, 5, 5), (0..5, None));
        assert_eq!(page(0, 2, 5), (0..2, given(0, 5, Some(2))));
        assert_eq!(page(2, 2, 5), (2..4, given(2, 5, Some(4))));
        assert_eq!(page(4, 2, 5), (4..5, given(4, 5, None)));
        assert_eq!(page(9, 2, 5), (5..5, given(9, 5, None)));
        assert_eq!(page(0, 0, 5), (0..0, given(0, 5, None)));
        assert_eq!(page(u64::MAX, u64::MAX, 0), (0..0, given(u64::MAX, 0, None)));
    }
}
