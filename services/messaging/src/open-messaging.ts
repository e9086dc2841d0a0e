import { deriveSecret } from '@parley/service-kit/core/key-ring'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import { createSecretBox } from '@parley/service-kit/core/secret-box'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { keepFilesIn } from '@parley/service-kit/media/file-contents'
import { inBucket } from '@parley/service-kit/media/s3-contents'
import type { Queues } from '@parley/service-kit/queue/queues'
import type { MessagingConfig } from './config.ts'
import { createLinkTokens } from './modules/outbound/link-tokens.ts'
import { createWebhookHttp } from './modules/webhooks/webhook-http.ts'
import type { OpenRecords } from './platform/ask-profile.ts'
import type { AskMembers, AskPeople } from './platform/member-facts.ts'
import { openMessagingDatabase } from './platform/messaging-database.ts'
import { createServices } from './services.ts'

/** Opens what server and worker are made of: the database, the services on it, and the probe of both. */
export async function openMessaging(
  name: string,
  config: MessagingConfig,
  tools: {
    logger: Logger
    metrics: Metrics
    queues: Queues
    giveUp: (error: unknown) => void
    /** Absent in a process that asks for no members. */
    askMembers?: AskMembers
    askPeople?: AskPeople
    openRecords?: OpenRecords
  },
) {
  const { database, probe, translateError } = await openMessagingDatabase(name, config, tools)
  if (config.MEDIA_S3_URL) keepFilesIn(database.connection, inBucket(config.MEDIA_S3_URL))
  const outboundHttp = createWebhookHttp(config)
  const box = createSecretBox(config.SECRET_KEYS)
  const services = createServices({
    ...tools,
    outboundHttp,
    mongo: database.connection,
    box,
    cursors: createPageCursors(deriveSecret(config.SECRET_KEYS, 'page cursors')),
    hooksUrl: config.HOOKS_PUBLIC_URL,
    linksUrl: config.LINKS_PUBLIC_URL,
    linkTokens: createLinkTokens(config.SECRET_KEYS),
    hasLimits: config.PLAN_LIMITS === 'on',
    isChoosable: config.BILLING === 'open',
    storageLimitBytes: config.STORAGE_LIMIT_MB * 1024 * 1024,
  })
  const close = async () => {
    await outboundHttp.close()
    await services.graphs.close()
    await database.close()
  }
  return { database, box, services, outboundHttp, probe, translateError, close }
}
export type Messaging = Awaited<ReturnType<typeof openMessaging>>
