/** The mail catcher: takes every mail by SMTP, keeps it in a folder and shows it on a web page. Delivers nothing. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { parseConfig } from '@parley/service-kit/core/config'
import { isLocalRequest } from '@parley/service-kit/http/local-requests'
import createMailDev from 'maildev'
import web from 'maildev/lib/web.js'
import { configSchema } from './config.ts'

const config = parseConfig(configSchema, process.env)

if (config.NODE_ENV === 'production') {
  console.error('The mail catcher delivers no mail and does not run with NODE_ENV=production. Set SMTP_URL instead.')
  process.exit(1)
}

const { HOST, PORT, SMTP_PORT, DATA_DIR } = config
const mailDev = createMailDev({ smtp: SMTP_PORT, web: PORT, ip: HOST, mailDirectory: DATA_DIR })
refuseOtherSites(web.server)
await mailDev.listen()

/** Puts a check before the page: it lets every website read the mails (`Access-Control-Allow-Origin: *`), and knows no setting. */
function refuseOtherSites(server: Server): void {
  const answers = server.listeners('request')
  server.removeAllListeners('request').on('request', (req: IncomingMessage, res: ServerResponse) => {
    if (!isLocalRequest(req.headers)) return void res.writeHead(421).end('Open this page by its own address.')
    for (const answer of answers) answer.call(server, req, res)
  })
  const upgrades = server.listeners('upgrade')
  server.removeAllListeners('upgrade').on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isLocalRequest(req.headers)) return void socket.destroy()
    for (const upgrade of upgrades) upgrade.call(server, req, socket, head)
  })
}
