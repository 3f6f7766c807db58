pub(crate) mod distributed;
pub(crate) mod estimate;
pub(crate) mod in_memory;
pub(crate) mod logged;
pub(crate) mod partitioned;
