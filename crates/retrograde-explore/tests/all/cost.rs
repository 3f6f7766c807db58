//! Tests that queries cost no more than their answers need.

use std::sync::Arc;

use retrograde_explore::{
    AnyGame, Entry, Error, Host, OpenGame, Param, ParamKind, Problem, ROUTES, RequestLimits, SearchLimits,
};
use retrograde_solve::Silent;
use serde_json::json;

use crate::common::{Graph, LIMITS, NUMBERED, options};

struct Asker;

impl Host for Asker {
    fn search(&self) -> SearchLimits {
        LIMITS
    }
    fn seed(&self) -> u32 {
        1
    }
    fn problem(&self, error: Error) -> Problem {
        Problem::try_from(error).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Sends every request, with each of its parameters alone and with all of them. Returns how many were
/// answered.
fn ask_everything(game: &OpenGame) -> usize {
    let start = game.start();
    let turn = game.turns(&start).unwrap().swap_remove(0).0;
    let text = |param: &Param| match (param.name, param.kind) {
        ("position" | "board", _) => start.clone(),
        ("turn" | "moves", _) => turn.clone(),
        (_, ParamKind::Text) => "a1".to_owned(),
        (_, ParamKind::Word { words, .. }) => words[0].to_owned(),
        (_, ParamKind::Flag) => "true".to_owned(),
        (_, ParamKind::Number(_)) => "0".to_owned(),
    };
    let mut answered = 0;
    for route in ROUTES {
        let body = match route.body {
            None => String::new(),
            Some("Batch") => json!({"positions": [start]}).to_string(),
            Some("PlayedGame") => json!({"turns": [turn]}).to_string(),
            Some(other) => panic!("no example of the body {other}"),
        };
        let (required, optional): (Vec<&Param>, Vec<&Param>) =
            route.params.iter().partition(|param| param.required);
        let alone = optional.iter().map(|param| vec![*param]);
        for chosen in alone.chain([Vec::new(), optional.clone()]) {
            let given = required.iter().copied().chain(chosen);
            let texts: Vec<(String, String)> =
                given.map(|param| (param.name.to_owned(), text(param))).collect();
            let request = route.request(&texts, body.as_bytes(), &RequestLimits::default());
            answered += usize::from(request.is_ok_and(|request| request.reply(game, &Asker).is_ok()));
        }
    }
    answered
}

#[test]
fn without_a_table_no_question_computes_an_index() {
    let entry: Arc<AnyGame> = Entry::new(Graph::random(3, 60, false), "A graph.").retrograde().build();
    let folder = retrograde_testkit::tempdir().unwrap();
    let open = Arc::clone(&entry).explore(folder.path()).unwrap();
    let before = NUMBERED.get();
    assert!(ask_everything(&open) > 20);
    assert_eq!(NUMBERED.get(), before);

    let solved = entry.solve_in_memory(&options(), &Silent).unwrap();
    let before = NUMBERED.get();
    ask_everything(&solved);
    assert!(NUMBERED.get() > before, "a table is asked by numbers");
}

#[test]
fn the_memory_of_an_open_game_includes_what_questions_may_build() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let memory = |index_memory: u64, solved: bool| {
        let graph = Graph { index_memory, ..Graph::random(3, 60, false) };
        let entry: Arc<AnyGame> = Entry::new(graph, "A graph.").retrograde().build();
        if solved {
            return entry.solve_in_memory(&options(), &Silent).unwrap().memory();
        }
        entry.explore(folder.path()).unwrap().memory()
    };
    let bare = memory(0, false);
    assert!(bare > 0);
    // A plan builds the numbering of small games to measure their solvers, but not of large ones.
    assert_eq!(memory(1 << 20, false), bare + (1 << 20));
    assert_eq!(memory(1 << 30, false), bare);
    assert_eq!(memory(1 << 30, true), memory(0, true) + (1 << 30));
}
