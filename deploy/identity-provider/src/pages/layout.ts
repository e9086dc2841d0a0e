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
:root{color-scheme:light dark;--canvas:#f7f8f7;--surface:#fff;--border:#e6eae8;--text:#0f1715;--secondary:#52605b;
--accent:#0b7a4b;--on-accent:#fff;--danger:#cf222e;--edge:#7f8c87}
@media (prefers-color-scheme:dark){:root{--canvas:#0b0f0e;--surface:#111716;--border:#1f2a27;--text:#eaf1ee;
--secondary:#9fb0aa;--accent:#25c281;--on-accent:#0b0f0e;--danger:#f0716a;--edge:#687a73}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:24px 16px;
background:var(--canvas);color:var(--text);font:400 14px/20px Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.brand{margin:0 0 16px;color:var(--text);font-size:18px;line-height:24px;font-weight:600;letter-spacing:-.01em}
main{width:100%;max-width:400px;padding:24px;background:var(--surface);border:1px solid var(--border);border-radius:10px}
h1{margin:0 0 8px;font-size:20px;line-height:28px;font-weight:600;letter-spacing:-.01em}
p{margin:0 0 16px;color:var(--secondary);overflow-wrap:anywhere}
main>:last-child,form>:last-child{margin-bottom:0}
strong{color:var(--text);font-weight:500}
label{display:block;margin:0 0 4px;font-weight:500}
input{display:block;width:100%;height:40px;margin:0 0 16px;padding:0 12px;border:1px solid var(--edge);border-radius:6px;
background:var(--canvas);color:var(--text);font:inherit;font-size:16px}
input[aria-invalid=true]{border-color:var(--danger)}
.error{margin:0 0 16px;color:var(--danger)}
.field-error{margin:-12px 0 16px;color:var(--danger)}
button,a.button{display:block;width:100%;height:40px;margin:0 0 16px;padding:0 12px;border:0;border-radius:6px;background:var(--accent);
color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button:hover,a.button:hover{filter:brightness(1.06)}
a.button{padding-top:9px;text-align:center;text-decoration:none}
button.secondary,a.secondary{border:1px solid var(--edge);background:var(--canvas);color:var(--text);font-weight:500}
a.secondary{padding-top:9px}
button.account{height:auto;margin-bottom:8px;padding:8px 12px;color:var(--secondary);font-weight:400;text-align:left;overflow-wrap:anywhere}
button.account strong{display:block}
form+form,details{margin-top:16px}
details+form{margin-top:16px}
summary{margin-bottom:8px;cursor:pointer;font-weight:500}
main>a.button:last-child{margin-bottom:0}
.divider{margin:16px 0;text-align:center}
a:not(.button){color:var(--accent);font-weight:500;text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * Security headers of every answer. No script, no frame, nothing from elsewhere. There is no `form-action`: browsers apply it to
 * every redirect that follows a form, and a sign-in ends with a redirect to the app.
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
<meta name="robots" content="noindex">
<title>${title} · ${displayName}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header><p class="brand">${displayName}</p></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  return { status: 200, body: document.markup }
}
