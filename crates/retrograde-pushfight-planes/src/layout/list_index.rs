//! Typed numbers as indices of lists.

/// Lets a type with a method `index` be the index of lists that have one entry per number.
macro_rules! index_lists_by {
    ($number:ident) => {
        $crate::layout::list_index::index_lists_by!($number, [T]);
        $crate::layout::list_index::index_lists_by!($number, Vec<T>);
    };
    ($number:ident, $list:ty) => {
        impl<T> std::ops::Index<$number> for $list {
            type Output = T;

            #[inline(always)]
            fn index(&self, number: $number) -> &T {
                &self[number.index()]
            }
        }

        impl<T> std::ops::IndexMut<$number> for $list {
            #[inline(always)]
            fn index_mut(&mut self, number: $number) -> &mut T {
                &mut self[number.index()]
            }
        }
    };
}
pub(crate) use index_lists_by;
