//! Texts that people type or store in files: names of games, positions and turns, boards, and
//! problems for reductions.

use std::path::Path;
use std::sync::Arc;
use std::sync::OnceLock;

use retrograde_explore::{AnyGame, Coordinates, ListPage, Loader, OpenGame, read_turns};
use retrograde_game::{GameSpec, Seat};
use retrograde_generalised::mate::{Method, State, exhaustive, least, unlimited};
use retrograde_generalised::reductions::gadget::Gadget;
use retrograde_generalised::reductions::qbf::{Formula, reduce};
use retrograde_generalised::reductions::steiner::Instance;
use retrograde_pushfight::{BoardFile, Drawing, PushFight};

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

fn seeds(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// A game name. The canonical name of the game finds the game again.
pub fn game_name(bytes: &[u8]) {
    let Some(name) = text(bytes).filter(|name| name.len() < 200) else { return };
    let registry = retrograde_games::registry();
    // Names may contain blanks, hyphens and capitals.
    let plain: String = name.chars().filter(|c| !c.is_whitespace() && !"-_".contains(*c)).collect();
    let plain = plain.to_lowercase();
    // Finding a large board of this game counts its positions, which takes seconds.
    if plain.starts_with("touchdown") && !is_small(&plain) {
        return;
    }
    let Ok(game) = registry.find(name, &Loader::none()) else { return };
    if is_small(&plain) {
        let canonical = game.about().game;
        let again = registry.find(&canonical, &Loader::none());
        assert_eq!(again.expect("a canonical name is found").about().game, canonical);
    }
}

/// Whether counting all positions of such a game is fast; for large boards it takes seconds.
fn is_small(name: &str) -> bool {
    if name.starts_with("pushfight") && !name.contains("mini") {
        return false;
    }
    let numbers = name.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok());
    !name.contains("full") && numbers.fold(1_u64, |product, number| product.saturating_mul(number)) <= 16
}

pub fn game_name_seeds() -> Vec<Vec<u8>> {
    seeds(&[
        "tactics",
        "tactics:4x4,line=3,normal",
        "touchdown:4x4",
        "touchdown:3x3",
        "pushfight",
        "pushfight:mini",
        "pushfight:mini,pushers=1,pawns=2-1,moves=unlimited",
        "pushfight:2k3p,moves=1",
        "pushfight:full",
        "pushfight:x.board,pushers=3",
        "TouchDown 3 × 3",
        "push fight:MINI,moves=1",
    ])
}

/// The games for positions and turns.
fn games() -> &'static [Arc<AnyGame>] {
    static GAMES: OnceLock<Vec<Arc<AnyGame>>> = OnceLock::new();
    let names = [
        "tactics:3x3",
        "touchdown:3x3",
        "touchdown:4x4",
        "pushfight:mini,pushers=1,pawns=1",
        "pushfight:mini",
        "pushfight",
    ];
    GAMES.get_or_init(|| {
        let registry = retrograde_games::registry();
        names.map(|name| registry.find(name, &Loader::none()).expect("a game")).into()
    })
}

/// A position and turns from it, one per line. The first byte selects the game.
pub fn position(bytes: &[u8]) {
    let Some((&number, rest)) = bytes.split_first() else { return };
    let Some(lines) = text(rest).filter(|text| text.len() < 500) else { return };
    let games = games();
    let game = &games[usize::from(number) % games.len()];
    let game = game.explore(Path::new("")).expect("there are no tables");
    let mut lines = lines.lines();
    let position = lines.next().unwrap_or("");
    numbers(&game, position);
    let Ok(canonical) = game.canonical(position) else { return };
    assert_eq!(game.canonical(&canonical).expect("a canonical position"), canonical);
    let turns: Vec<String> = lines.map(str::to_owned).take(4).collect();
    for seat in [Seat::First, Seat::Second] {
        if let Ok(read) = read_turns(&game, position, seat, &turns, None) {
            let mut here = canonical.clone();
            for turn in &read {
                here = game.play(&here, turn).expect("a turn that was read is legal").0;
            }
            let _ = game.scenes(position, seat, &read);
        }
        for coordinates in [Coordinates::Board, Coordinates::Mover, Coordinates::Either] {
            let Ok(read) = read_turns(&game, position, seat, &turns, Some(coordinates)) else { continue };
            let mut here = canonical.clone();
            for turn in &read {
                here = game.play(&here, turn).expect("a turn of a record is legal").0;
            }
        }
        if let Ok(own) = game.position_from_board(position, seat) {
            assert!(game.canonical(&own).is_ok());
        }
        let _ = game.pieces_to_place(position, seat);
    }
    let _ = game.over(position);
    let _ = game.steps(position, Seat::First, &turns, ListPage::ALL, &limits());
}

fn numbers(game: &OpenGame, text: &str) {
    for numbering in [None, Some("24-bit"), Some("minimized"), Some("half-turn")] {
        if let Ok(numbered) = game.index(text, numbering)
            && let Some(index) = numbered.index
        {
            let back = game.position(&index.0.to_string(), numbering).expect("the position of a number");
            assert!(game.canonical(&back.position).is_ok());
        }
        let _ = game.position(text, numbering);
    }
}

/// Limits that allow hardly any search.
pub fn limits() -> retrograde_explore::SearchLimits {
    retrograde_explore::SearchLimits { nodes: 100, time: std::time::Duration::from_millis(100), depth: None }
}

pub fn position_seeds() -> Vec<Vec<u8>> {
    let lines: [(u8, &str); 8] = [
        (0, "XX_/___/___\na1-c1\na2"),
        (0, "16"),
        (1, "OO./..X/XX.\nb1b2"),
        (2, "...O/..O./..../.XX.\nb1b2\na1a2"),
        (3, ".\nOx"),
        (4, ""),
        (5, ".OX.....oxY....Oox.....OX.\nd1-a2,d3-c3,c2-d2"),
        (5, "............\n............."),
    ];
    lines.iter().map(|(number, text)| [&[*number][..], text.as_bytes()].concat()).collect()
}

/// A board file, as read by `board check`, `mate` and the name of a game.
pub fn board_file(bytes: &[u8]) {
    let Some(text) = text(bytes).filter(|text| text.len() < 4000) else { return };
    if let Ok(drawing) = Drawing::parse(text) {
        let again = Drawing::parse(&drawing.to_string()).expect("drawings can be parsed");
        assert_eq!(again.to_string(), drawing.to_string());
    }
    let Ok(_) = BoardFile::parse(text) else { return };
    for name in ["pushfight:x.board", "pushfight:x.board,pushers=1,pawns=1,moves=1"] {
        let spec = GameSpec::parse(name).expect("a name");
        if let Ok(game) = PushFight::from_spec(spec, &|_| Ok(text.to_owned())) {
            use retrograde_game::Game;
            let start = game.start();
            let written = game.position_text(&start);
            assert!(game.parse_position(&written).is_ok_and(|read| read == start));
        }
    }
}

pub fn board_file_seeds() -> Vec<Vec<u8>> {
    seeds(&[
        "name = tiny\npushers = 1\npawns = 2-1\nmoves = unlimited\nfirst = a1, b1\nsecond = c2, d2\n+-+-+-+-+\n . . . .\n+ + + + +\n . . . .\n+-+-+-+-+\n",
        "+-+-+-+-+-+-+-+\n . . . . . . .\n+ + + + + + + +\n . . . # . . .\n+ + + + + + + +\n",
        "+-+-+-+-+\n|. o O x|\n+-+-+-+-+\n",
        "+-+-+-+-+/ . o O x /+-+-+-+-+",
    ])
}

/// A board with pieces: can the side to move eject a piece?
pub fn mate(bytes: &[u8]) {
    let Some(state) = text(bytes).filter(|text| text.len() < 600).and_then(|text| State::parse(text).ok())
    else {
        return;
    };
    let found = unlimited(&state);
    if let Some(turn) = &found {
        assert!(state.check(turn).is_ok(), "a turn that ejects nothing");
    }
    if state.square_count() <= 12 {
        assert_eq!(exhaustive::least(&state).is_some(), found.is_some());
        if let Ok(least) = least(&state, Method::Either, 1 << 20) {
            assert_eq!(least.is_some(), found.is_some());
        }
    }
}

pub fn mate_seeds() -> Vec<Vec<u8>> {
    seeds(&[
        "+-+-+-+-+/ . o O x /+-+-+-+-+",
        "+-+-+-+-+/ . o O x|/+-+-+-+-+",
        "+-+-+-+\n . O x\n+ + + +\n o X .\n+-+-+-+\n",
    ])
}

/// A board or a gadget for the reductions.
pub fn reduction_board(bytes: &[u8]) {
    let Some(text) = text(bytes).filter(|text| text.len() < 4000) else { return };
    if let Ok(position) = retrograde_generalised::reductions::Position::parse(text) {
        let drawn = position.drawing().to_string();
        let again =
            retrograde_generalised::reductions::Position::parse(&drawn).expect("drawings can be parsed");
        assert_eq!(again.drawing().to_string(), drawn);
    }
    let _ = Gadget::parse(text, &[("n", 2), ("m", 1)]);
}

pub fn reduction_board_seeds() -> Vec<Vec<u8>> {
    vec![
        include_bytes!("../../retrograde-generalised/gadgets/waste.board").to_vec(),
        include_bytes!("../../retrograde-generalised/gadgets/core.board").to_vec(),
        include_bytes!("../../retrograde-generalised/gadgets/clause.board").to_vec(),
        board_file_seeds().swap_remove(2),
    ]
}

/// A quantified formula.
pub fn qdimacs(bytes: &[u8]) {
    let Some(formula) = text(bytes).and_then(|text| Formula::parse(text).ok()) else { return };
    if formula.quantifiers().len() <= 6 && formula.clauses().len() <= 8 {
        let _ = formula.evaluate();
        for reduction in (0..=2).filter_map(|moves| reduce(&formula, moves).ok()) {
            assert!(Drawing::parse(&reduction.position.drawing().to_string()).is_ok());
        }
    }
}

pub fn qdimacs_seeds() -> Vec<Vec<u8>> {
    seeds(&[
        "c a comment\np cnf 3 2\ne 1 0\na 2 0\ne 3 0\n1 -2 3 0\n-1 2 0\n",
        "p cnf 1 1\na 1 0\n1 0\n",
        "p cnf 2 0\n",
    ])
}

/// Points for a Steiner tree.
pub fn steiner(bytes: &[u8]) {
    let Some(instance) = text(bytes).and_then(|text| Instance::parse(text).ok()) else { return };
    let far = |point: &retrograde_generalised::reductions::steiner::Point| {
        point.x.unsigned_abs().max(point.y.unsigned_abs()) > 8
    };
    if instance.points().len() <= 4 && !instance.points().iter().any(far) {
        let length = instance.least_length().expect("a few near points have a tree");
        let _ = instance.reduce(length);
    }
    let _ = instance.reduce(u64::MAX);
}

pub fn steiner_seeds() -> Vec<Vec<u8>> {
    seeds(&["0,0 2,3 4,1", "-1,-1\n2,2\n", "0,0 1000000,-1000000"])
}
