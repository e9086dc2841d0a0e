// Runs before the first paint, so that neither theme nor sidebar changes under the reader's eyes. A file of its own because
// the content security policy allows no inline script.
;(() => {
  const root = document.documentElement
  try {
    root.dataset.theme = localStorage.getItem('theme') === 'light' ? 'light' : 'dark'
  } catch {
    root.dataset.theme = 'dark'
  }
  root.dataset.sidebar = /(?:^|;\s*)sidebar_state=false(?:;|$)/.test(document.cookie) ? 'collapsed' : 'expanded'
})()
