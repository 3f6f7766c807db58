pub(crate) mod distributed;
pub(crate) mod estimate;
pub(crate) mod in_memory;
pub(crate) mod logged;
pub(crate) mod partitioned;
pub(crate) mod steps;
pub(crate) mod whole_board;
