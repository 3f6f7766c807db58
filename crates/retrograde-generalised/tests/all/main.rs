//! The tests of mate in one and of the reductions as one program, which is linked only once.

mod mate {
    mod examples;
    mod printed;
    mod random;
}

mod reductions {
    mod docs;
    mod gadgets;
    mod qbf;
    mod qdimacs;
    mod rules;
    mod steiner;
    mod turns;
    mod unique;
    mod waste;
}
