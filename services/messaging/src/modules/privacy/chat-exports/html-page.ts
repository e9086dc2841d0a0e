import { createHash } from 'node:crypto'
import { escaped } from './html-text.ts'

const style = `
:root{color-scheme:light dark}
body{margin:0;background:Canvas;color:CanvasText;font:15px/1.45 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:1rem}
header{padding:0 0 1rem;border-bottom:1px solid #8886}
h1{margin:0 0 .5rem;font-size:1.25rem}
h2{margin:1.5rem 0 .75rem;font-size:.85rem;font-weight:600;text-align:center;opacity:.75}
p{margin:0}
ol{margin:0;padding:0;list-style:none}
.message{width:fit-content;max-width:85%;margin:.4rem 0;padding:.4rem .7rem;border-radius:.6rem;background:#8882;overflow-wrap:anywhere}
.outbound{margin-inline-start:auto;background:#25c28133}
.note{margin-inline:auto;background:#e3b34133;border:1px dashed #9a6700}
.activity{margin:.6rem auto;font-size:.85rem;text-align:center;opacity:.75}
.who{font-size:.85rem;font-weight:600}
.kind,.foot,.reactions{font-size:.8rem;opacity:.75}
.text{white-space:pre-wrap}
.quote{display:block;margin:.2rem 0;padding:.2rem .5rem;border-inline-start:3px solid #8888;color:inherit;font-size:.85rem;text-decoration:none}
.absent{font-style:italic}
figure{margin:.2rem 0}
img,video{display:block;max-width:100%;max-height:24rem;height:auto}
code{white-space:pre-wrap}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid #8886;font-size:.85rem}
`

/** The browser runs nothing and loads nothing but the files beside the page; some name those by `file:`, not by `'self'`. */
const policy = [
  "default-src 'none'",
  "img-src 'self' file:",
  "media-src 'self' file:",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export const pageStart = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
`

export const pageEnd = '</main>\n</body>\n</html>\n'
