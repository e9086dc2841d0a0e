import { authChannel, handlerPath } from '@parley/contracts/account/auth'
import type { Application } from 'express'

/**
 * Script of the page at which a sign-in at the provider ends. It hands its address to the page that opened the popup, or returns
 * to the page that was left; the address is wiped at once, because it holds a code. The page is strict: no library, no style.
 */
const script = `(() => {
  const params = new URLSearchParams(location.search)
  const state = params.get('state') || ''
  let kind
  try { kind = JSON.parse(localStorage.getItem('oidc.' + state) || '{}').request_type } catch {}
  const message = { source: 'oidc-client', url: location.href, keepOpen: false }
  const broadcast = (name, data) => { const channel = new BroadcastChannel(name); channel.postMessage(data); channel.close() }
  const wipe = () => history.replaceState(null, '', '${handlerPath}')
  if (kind === 'si:r') return location.replace('/login' + location.search)
  if (kind === 'si:p') {
    if (params.get('code')) broadcast('${authChannel}', { type: 'session-ready' })
    if (window.opener) window.opener.postMessage(message, location.origin)
    else broadcast('oidc-client-popup-' + state, message)
    wipe()
    return setTimeout(() => window.close(), 300)
  }
  wipe()
  document.getElementById('waiting').hidden = true
  document.getElementById('stale').hidden = false
})()`

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>Signing in · Parley</title><meta name="color-scheme" content="dark light">
<script src="${handlerPath}.js" defer></script></head>
<body><main>
<p id="waiting" role="status">Signing you in…</p>
<div id="stale" hidden><h1>This sign-in has ended</h1><p>It was already completed, or it took too long. <a href="/login">Go to the login page</a></p></div>
<noscript><p>Signing in needs JavaScript. <a href="/login">Go to the login page</a></p></noscript>
</main></body>
</html>
`

export function mountHandlerPage(app: Application): void {
  app.get(handlerPath, (_req, res) => {
    res.locals.operation = 'auth.handler'
    res.set('Content-Security-Policy', "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'")
    res.set('Referrer-Policy', 'no-referrer')
    res.type('html').send(page)
  })
  app.get(`${handlerPath}.js`, (_req, res) => {
    res.locals.operation = 'auth.handler'
    res.type('js').send(script)
  })
}
