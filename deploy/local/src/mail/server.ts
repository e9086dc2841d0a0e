/** The mail catcher: takes every mail by SMTP, keeps it in a folder and shows it on a web page. Delivers nothing. */
import { parseConfig } from '@parley/service-kit/core/config'
import createMailDev from 'maildev'
import { configSchema } from './config.ts'

const config = parseConfig(configSchema, process.env)

if (config.NODE_ENV === 'production') {
  console.error('The mail catcher delivers no mail and does not run with NODE_ENV=production. Set SMTP_URL instead.')
  process.exit(1)
}

const { HOST, PORT, SMTP_PORT, DATA_DIR } = config
await createMailDev({ smtp: SMTP_PORT, web: PORT, ip: HOST, mailDirectory: DATA_DIR }).listen()
