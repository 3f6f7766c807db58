// Requests what a site's page needs first, while its scripts are still loading; early.ts hands the responses on. This is
// a separate file because the page's security policy forbids inline scripts.
(() => {
  const site = document.querySelector('meta[name="retrograde-site"]');
  const asked = (address, how) => {
    const answer = fetch(address, how);
    answer.catch(() => {});
    return answer;
  };
  self.retrogradeEarly ??= {
    index: asked(site.content, { cache: 'no-cache' }),
    // At a position, everything waits for the module, which is most of the download.
    module: /[?&](position|turns)=[^&]/.test(location.hash) ? asked(site.dataset.module) : null,
  };
})();
