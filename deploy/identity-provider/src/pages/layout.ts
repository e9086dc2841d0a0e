import { createHash } from 'node:crypto'
import type { Reply } from '../http.ts'
import type { RealmConfig } from '../realm-config.ts'

/** Markup that may go into a page as it is. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = string | Html | readonly Html[] | false | undefined

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function render(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.markup
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
  return part.map(render).join('')
}

/** A template whose inserted texts are escaped. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + render(parts[index])).join(''))
}

const style = `
:root{color-scheme:light dark;--canvas:#f7f8f7;--surface:#fff;--text:#0f1715;--secondary:#52605b;
--accent:#0b7a4b;--on-accent:#fff;--danger:#cf222e;--edge:#7f8c87}
@media (prefers-color-scheme:dark){:root{--canvas:#0b0f0e;--surface:#111716;--text:#eaf1ee;
--secondary:#9fb0aa;--accent:#25c281;--on-accent:#0b0f0e;--danger:#f0716a;--edge:#687a73}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;padding:48px 16px;background:var(--canvas);color:var(--text);font:14px/20px Inter,system-ui,sans-serif}
.brand,main{max-width:400px;margin:0 auto 16px;font-weight:600}
main{padding:24px;background:var(--surface);border-radius:10px;font-weight:400}
h1{margin:0 0 8px;font-size:20px;line-height:28px}
p{color:var(--secondary);overflow-wrap:anywhere}
strong{color:var(--text)}
label,summary{font-weight:500}
details{margin-bottom:16px}
input,button,a.button{display:block;width:100%;margin:4px 0 16px;padding:10px 12px;border:1px solid var(--edge);border-radius:6px;
background:var(--canvas);color:var(--text);font:inherit;text-align:center;text-decoration:none;cursor:pointer}
input{font-size:16px;text-align:left;cursor:text}
input[aria-invalid=true]{border-color:var(--danger)}
.error{color:var(--danger)}
button:not(.secondary){border-color:var(--accent);background:var(--accent);color:var(--on-accent);font-weight:600}
a:not(.button){color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * Of every answer. No script, no frame, nothing from elsewhere. There is no `form-action`: browsers apply it to every
 * redirect that follows a form, and a sign-in ends with a redirect to the app.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** A whole page: the product's name above one centred card. */
export function page({ displayName }: RealmConfig, title: string, body: Html): Reply {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${displayName}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header class="brand">${displayName}</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  return { status: 200, body: document.markup }
}
