//! The functions that the page calls. The page allocates buffers in the module's memory, fills them, and
//! receives bytes back.
//!
//! An answer is a little-endian `u32` length followed by that many bytes of UTF-8; it stays valid until the
//! next call. A module has one thread and one game, which are therefore stored in statics. The module is a
//! program: the page first calls its `main`, which passes the games to [`keep_games`]. The `unsafe` parts
//! take back the memory that `retrograde_take` gave to the page, with the same length.

use std::cell::RefCell;

use retrograde_explore::{LONG_WORK, Registry};
use retrograde_solve::Progress;
use serde_json::json;

#[cfg(feature = "solving")]
use crate::SOLVING;
use crate::site::NOTHING_OPEN;
use crate::{Guest, GuestRefusal, INTERFACE, SiteGames, Solved};

/// A section that identifies the module without running it.
// SAFETY: linkers and browsers ignore custom sections.
#[used]
#[unsafe(link_section = "retrograde")]
static INTERFACE_SECTION: [u8; INTERFACE.len()] = {
    let mut bytes = [0; INTERFACE.len()];
    bytes.copy_from_slice(INTERFACE.as_bytes());
    bytes
};

// SAFETY: see above.
#[cfg(feature = "solving")]
#[used]
#[unsafe(link_section = "retrograde")]
static SOLVING_SECTION: [u8; SOLVING.len()] = {
    let mut bytes = [0; SOLVING.len()];
    bytes.copy_from_slice(SOLVING.as_bytes());
    bytes
};

/// The open game.
enum Open {
    Nothing,
    Solved(Solved<'static>),
    Guest(Guest<'static>),
    Site(SiteGames<'static>),
}

thread_local! {
    static GAMES: RefCell<Option<&'static Registry>> = const { RefCell::new(None) };
    static OPEN: RefCell<Open> = const { RefCell::new(Open::Nothing) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Sets the games of the module, for the rest of its life.
pub fn keep_games(registry: Registry) {
    GAMES.set(Some(Box::leak(Box::new(registry))));
}

/// The games, if the program has set them.
fn games() -> Result<&'static Registry, String> {
    let games = GAMES
        .with_borrow(|games| *games)
        .ok_or_else(|| "the module has no games: its `main` did not call `retrograde::run`".to_owned())?;
    games.check().map_err(|fault| fault.to_string())?;
    Ok(games)
}

/// Allocates `length` bytes for the page to fill.
#[unsafe(no_mangle)]
pub extern "C" fn retrograde_take(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// The bytes that the page has filled.
///
/// # Safety
/// `place` must come from [`retrograde_take`] with this length, and must be passed only once.
unsafe fn given(place: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: the caller guarantees that this is the boxed slice that was given away.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(place, length)) }.into_vec()
}

fn reply(text: &str) -> *const u8 {
    ANSWER.with_borrow_mut(|answer| {
        answer.clear();
        answer.extend((text.len() as u32).to_le_bytes());
        answer.extend(text.as_bytes());
        answer.as_ptr()
    })
}

/// Opens a table, with a custom board unless its text is empty. The answer is an error message, empty on
/// success.
///
/// # Safety
/// All places come from [`retrograde_take`] with these lengths; they belong to the module from now
/// on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_open(
    manifest: *mut u8,
    manifest_length: usize,
    values: *mut u8,
    values_length: usize,
    board: *mut u8,
    board_length: usize,
) -> *const u8 {
    // SAFETY: promised by the caller.
    let (manifest, values) = unsafe { (given(manifest, manifest_length), given(values, values_length)) };
    // SAFETY: promised by the caller.
    let board = unsafe { given(board, board_length) };
    if !LONG_WORK {
        return reply("this module is only for sites");
    }
    let board = String::from_utf8_lossy(&board);
    let board = (!board.is_empty()).then_some(&*board);
    match games().and_then(|games| Solved::open(games, manifest, values, board)) {
        Ok(solved) => {
            OPEN.set(Open::Solved(solved));
            reply("")
        }
        Err(error) => reply(&error),
    }
}

/// Opens a game by its name, with a custom board unless its text is empty. The answer has a description and
/// the cost of solving (`game`), or the error (`refused`).
///
/// # Safety
/// Both places come from [`retrograde_take`] with these lengths; they belong to the module from now
/// on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_name(
    name: *mut u8,
    name_length: usize,
    board: *mut u8,
    board_length: usize,
) -> *const u8 {
    // SAFETY: promised by the caller.
    let (name, board) = unsafe { (given(name, name_length), given(board, board_length)) };
    let (name, board) = (String::from_utf8_lossy(&name), String::from_utf8_lossy(&board));
    let board = (!board.is_empty()).then_some(&*board);
    let opened = games()
        .map_err(|detail| GuestRefusal { detail, line: None, column: None })
        .and_then(|games| Guest::open(games, &name, board));
    let answer = match opened {
        Ok(guest) => {
            let description = guest.describe();
            OPEN.set(Open::Guest(guest));
            json!({"game": description})
        }
        Err(refusal) => json!({"refused": refusal}),
    };
    reply(&answer.to_string())
}

/// Solves the game opened by [`retrograde_name`]. The answer is an error message, empty on success.
#[unsafe(no_mangle)]
pub extern "C" fn retrograde_solve() -> *const u8 {
    OPEN.with_borrow_mut(|open| match open {
        Open::Guest(guest) => reply(guest.solve(&Page).err().as_deref().unwrap_or("")),
        _ => reply("no game was named"),
    })
}

#[link(wasm_import_module = "retrograde")]
unsafe extern "C" {
    /// Begins a stage of solving with its name and units of work (0 if unknown).
    fn stage(name: *const u8, length: usize, total: f64);
    /// Adds finished units of the stage.
    safe fn advance(units: f64);
}

/// Reports the progress of a solve to the page. To stop it, terminate the worker.
struct Page;

impl Progress for Page {
    fn stage(&self, name: &str, total: u64) {
        // SAFETY: the page only reads these bytes before the call returns.
        unsafe { stage(name.as_ptr(), name.len(), total as f64) }
    }

    fn advance(&self, units: u64) {
        advance(units as f64);
    }
}

/// Loads the games of a site from its `site.json`; at most `limit` bytes of files are kept. The answer is an
/// error message, empty on success.
///
/// # Safety
/// The place comes from [`retrograde_take`] with this length; it belongs to the module from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_site(index: *mut u8, length: usize, limit: f64) -> *const u8 {
    // SAFETY: promised by the caller.
    let index = unsafe { given(index, length) };
    match games().and_then(|games| SiteGames::new(games, &index, limit as u64)) {
        Ok(site) => {
            OPEN.set(Open::Site(site));
            reply("")
        }
        Err(error) => reply(&error),
    }
}

/// Opens a game of the site, like [`SiteGames::open`].
///
/// # Safety
/// The place comes from [`retrograde_take`] with this length; it belongs to the module from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_site_game(name: *mut u8, length: usize) -> *const u8 {
    // SAFETY: promised by the caller.
    let name = unsafe { given(name, length) };
    let name = String::from_utf8_lossy(&name);
    OPEN.with_borrow_mut(|open| match open {
        Open::Site(site) => reply(&site.open(&name)),
        _ => reply(NOTHING_OPEN),
    })
}

/// Adds bytes of a file of the site at an offset.
///
/// # Safety
/// Both places come from [`retrograde_take`] with these lengths; they belong to the module from now
/// on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_site_bytes(
    path: *mut u8,
    path_length: usize,
    from: f64,
    bytes: *mut u8,
    length: usize,
) {
    // SAFETY: promised by the caller.
    let (path, bytes) = unsafe { (given(path, path_length), given(bytes, length)) };
    OPEN.with_borrow(|open| {
        if let Open::Site(site) = open {
            site.give(&String::from_utf8_lossy(&path), from as u64, bytes);
        }
    });
}

/// The number of bytes of the site's files in memory, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn retrograde_site_held() -> *const u8 {
    OPEN.with_borrow(|open| match open {
        Open::Site(site) => reply(&json!(site.held()).to_string()),
        _ => reply("null"),
    })
}

/// Answers a request.
///
/// # Safety
/// The place comes from [`retrograde_take`] with this length; it belongs to the module from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_ask(question: *mut u8, length: usize) -> *const u8 {
    // SAFETY: promised by the caller.
    let question = unsafe { given(question, length) };
    OPEN.with_borrow_mut(|open| match open {
        Open::Site(site) => reply(&site.ask(&question)),
        Open::Solved(solved) => reply(&solved.ask(&question)),
        Open::Guest(guest) => reply(&guest.ask(&question)),
        Open::Nothing => reply(NOTHING_OPEN),
    })
}
