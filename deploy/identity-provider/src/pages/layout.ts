import { createHash } from 'node:crypto'

/** Markup that may go into a page as it is. */
export interface Html {
  readonly markup: string
}

type Part = string | Html | readonly Html[] | false | undefined

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function render(part: Part): string {
  if (!part) return ''
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
  return 'markup' in part ? part.markup : part.map(render).join('')
}

/** A template whose inserted texts are escaped. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: strings.map((text, index) => text + render(parts[index])).join(''),
})

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
button{display:block;width:100%;min-height:40px;margin:0 0 16px;padding:8px 12px;border:0;border-radius:6px;background:var(--accent);
color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer;overflow-wrap:anywhere}
button:hover{filter:brightness(1.06)}
button.secondary{border:1px solid var(--edge);background:var(--canvas);color:var(--text);font-weight:500}
form+form,form+p{margin-top:16px}
a{color:var(--accent);font-weight:500;text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * Security headers of every answer. No script, no frame, nothing from elsewhere. There is no `form-action`: browsers apply it to
 * every redirect that follows a form, and a sign-in ends with a redirect to the app.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** A whole page: the product's name above one centred card. */
export const page = (title: string, body: Html, name = 'Parley'): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${name}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<header><p class="brand">${name}</p></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.markup
