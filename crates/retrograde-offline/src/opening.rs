//! The opening file of a game: the ranges of its files that are read before its first value, recorded when a
//! site is written. With them, a page opens the game in one round trip instead of a dozen.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::ahead::encoded;
use crate::{Need, Registry, SiteGames};

/// The maximum size of an opening file in bytes. Above it, requesting each range is faster.
const MAX_BYTES: u64 = 256 << 10;

/// A range of a game's files, with its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningRange {
    /// The address of the file or piece.
    pub path: String,
    /// The first byte.
    pub from: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The answer of a site to a request.
#[derive(Deserialize)]
struct SiteAnswer {
    status: u16,
    body: Json,
}

/// The ranges that are read to open a game of a site and then to look up the position `start`, up to a
/// maximum size. `index` is the site's `site.json`, and `fetch` returns the bytes of a range.
///
/// # Errors
/// A message if the game cannot be opened, or bytes cannot be fetched.
pub fn opening_ranges(
    registry: &Registry,
    index: &[u8],
    game: &str,
    start: &str,
    mut fetch: impl FnMut(&Need) -> Result<Vec<u8>, String>,
) -> Result<Vec<OpeningRange>, String> {
    let mut site = SiteGames::new(registry, index, 4 * MAX_BYTES)?;
    let mut ranges: Vec<OpeningRange> = Vec::new();
    let path = format!("games/{}/positions", encoded(game));
    let question = json!({"path": path, "query": {"position": start, "to_move": "first"}}).to_string();
    let (mut is_open, mut held) = (false, 0);
    loop {
        let reply = if is_open { site.ask(question.as_bytes()) } else { site.open(game) };
        let SiteAnswer { status, mut body } =
            serde_json::from_str(&reply).map_err(|error| error.to_string())?;
        match status {
            102 => {
                let needs: Vec<Need> =
                    serde_json::from_value(body["need"].take()).map_err(|error| error.to_string())?;
                held += needs.iter().map(|need| need.to - need.from).sum::<u64>();
                if held > MAX_BYTES {
                    return Ok(ranges);
                }
                for need in needs {
                    let bytes = fetch(&need)?;
                    site.give(&need.path, need.from, bytes.clone());
                    ranges.push(OpeningRange { path: need.path, from: need.from, bytes });
                }
            }
            200 if !is_open => is_open = true,
            200 => return Ok(ranges),
            _ => return Err(format!("{game} cannot be read from the site: {}", body["detail"])),
        }
    }
}

/// The file of these ranges, in the format of `retrograde_table::site`.
pub fn opening_file(ranges: &[OpeningRange]) -> Vec<u8> {
    let mut file = (ranges.len() as u32).to_le_bytes().to_vec();
    for OpeningRange { path, from, bytes } in ranges {
        file.extend((path.len() as u16).to_le_bytes());
        file.extend(path.as_bytes());
        file.extend(from.to_le_bytes());
        file.extend((bytes.len() as u32).to_le_bytes());
    }
    ranges.iter().for_each(|range| file.extend(&range.bytes));
    file
}
