//! Tables on a site: `--tables https://…` reads byte ranges of the files that `export site` wrote,
//! to use published tables without solving or downloading them.
//!
//! [`http`] makes the requests and retries broken connections. [`cache`] sits between it and the
//! tables: it keeps what was read, merges ranges that are close together, and fetches announced
//! ranges in parallel. The host is not trusted: every block of a table has a checksum, and lengths
//! and ranges are compared with `site.json`.

mod cache;
mod http;

use std::path::PathBuf;
use std::sync::Arc;

use retrograde_table::TableError;
use retrograde_table::site::{SITE_INDEX, SiteIndex, SiteStorage};

use crate::program::exit::BoxError;
use crate::tables::without_credentials;

/// Opens the site at an address by reading its `site.json`.
pub(crate) fn open(address: &str) -> Result<SiteStorage, BoxError> {
    let base = base(address)?;
    let shown = without_credentials(address);
    let place = PathBuf::from(format!("{}{SITE_INDEX}", without_credentials(&base)));
    let named = |error| TableError::io("read", &place, error);
    let (host, bytes) = http::HttpHost::connect(&base, SiteIndex::MAX_BYTES as u64).map_err(named)?;
    let index = SiteIndex::read(&bytes, &place)?;
    let fetch = cache::CachedFetch::new(Arc::new(host));
    Ok(SiteStorage::new(Arc::new(index), Arc::new(fetch)).below(shown))
}

/// The address of the site's folder, with a trailing slash. The addresses of its page and of its
/// index are accepted too.
fn base(address: &str) -> Result<String, BoxError> {
    // The explorer's state follows the `#`.
    let address = address.split('#').next().unwrap_or_default();
    if address.contains(['?', ' ', '\\']) || address.contains(char::is_control) {
        return Err(format!("“{}” is not the address of a site", without_credentials(address)).into());
    }
    let folder = ["index.html", SITE_INDEX].iter().find_map(|name| address.strip_suffix(&format!("/{name}")));
    let folder = folder.unwrap_or(address).trim_end_matches('/');
    match folder.split_once("://") {
        Some((scheme, host)) if !host.is_empty() && !host.starts_with('/') => {
            Ok(format!("{}://{host}/", scheme.to_ascii_lowercase()))
        }
        _ => {
            let address = without_credentials(address);
            Err(format!("“{address}” has no host; expected an address such as https://example.org/games")
                .into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_can_be_named_by_its_folder_page_or_index() {
        for address in
            ["https://a.org/b", "https://a.org/b/", "https://a.org/b/index.html", "https://a.org/b/site.json"]
        {
            assert_eq!(base(address).unwrap(), "https://a.org/b/");
            assert_eq!(base(&format!("{address}#/games/x")).unwrap(), "https://a.org/b/");
        }
        assert_eq!(base("http://127.0.0.1:8000").unwrap(), "http://127.0.0.1:8000/");
        assert_eq!(base("HTTPS://A.org/B").unwrap(), "https://A.org/B/");
        for wrong in ["https://", "https:///", "https://a.org/?x", "https://a b/", "https://a\n", "http://#"]
        {
            assert!(base(wrong).is_err(), "{wrong}");
        }
    }
}
