// Asks for what a page of a site needs first, while the page's scripts are still on their way (early.ts gives it on from
// here). It has a file of its own, since a page's policy lets no script stand in the page.
(() => {
  const site = document.querySelector('meta[name="retrograde-site"]');
  const asked = (address, how) => {
    const answer = fetch(address, how);
    answer.catch(() => {});
    return answer;
  };
  self.retrogradeEarly ??= {
    index: asked(site.content, { cache: 'no-cache' }),
    // At a position everything waits for the module, which is most of what has to come.
    module: /[?&](position|turns)=[^&]/.test(location.hash) ? asked(site.dataset.module) : null,
  };
})();
