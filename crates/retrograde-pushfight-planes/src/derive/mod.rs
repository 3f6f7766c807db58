pub(crate) mod bulk;
pub(crate) mod implausible;
pub(crate) mod placements;
pub(crate) mod proof;
pub(crate) mod recover_log;
pub(crate) mod values;
pub(crate) mod wins;
