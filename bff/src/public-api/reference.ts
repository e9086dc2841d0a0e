import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Application, Response } from 'express'

const require = createRequire(import.meta.url)
const fileOf = (name: string) => readFileSync(require.resolve(`swagger-ui-dist/${name}`))
const keptSeconds = 3600

/**
 * The document of the public API, a page to read and try it, and an index for language models. The page is made of files of our
 * own: it asks no one else for anything, and a key that is typed into it stays in its memory.
 */
export function mountReference(app: Application, { publicOrigin }: { publicOrigin: string }): void {
  const serve = (path: string, type: string, body: string | Buffer) =>
    app.get(path, (_req, res: Response) => {
      res.locals.operation = 'reference'
      res.set('Cache-Control', `public, max-age=${keptSeconds}`).type(type).send(body)
    })
  serve('/v1/openapi.json', 'json', readFileSync(`${import.meta.dirname}/openapi.json`))
  serve('/v1/docs', 'html', page)
  serve('/v1/docs/start.js', 'text/javascript', start)
  serve('/v1/docs/swagger-ui.css', 'text/css', fileOf('swagger-ui.css'))
  serve('/v1/docs/swagger-ui-bundle.js', 'text/javascript', fileOf('swagger-ui-bundle.js'))
  serve('/llms.txt', 'text/plain', llmsText(publicOrigin))
}

/** In the theme of the app. `BaseLayout`: the other one asks a foreign validator with the address of our document. */
const start = `let theme = null
try {
  theme = localStorage.getItem('theme')
} catch {
  // The app is dark until a store says otherwise.
}
document.documentElement.classList.toggle('dark-mode', theme !== 'light')
SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  layout: 'BaseLayout',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
})
`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<link rel="stylesheet" href="/v1/docs/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="/v1/docs/swagger-ui-bundle.js"></script>
<script src="/v1/docs/start.js"></script>
</body>
</html>
`

const llmsText = (origin: string) => `# Parley

> WhatsApp for a business: conversations, contacts, campaigns, templates. The public API and the MCP server take an API key of a
> workspace, made in Settings → API Keys: \`Authorization: Bearer ply_…\`.

## API

- [OpenAPI 3.1 document](${origin}/v1/openapi.json): every endpoint, with the scope that it needs, and the webhooks
- [Reference](${origin}/v1/docs): the same to read and try
- \`GET ${origin}/v1/me\`: the key, its scopes and its workspace
- \`POST ${origin}/v1/messages\`: sends a message to a phone number or contact

## MCP

- \`POST ${origin}/v1/mcp\`: Streamable HTTP, stateless, with the same key; a tool whose scope it lacks is refused
`
