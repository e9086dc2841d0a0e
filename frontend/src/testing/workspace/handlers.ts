import type { HttpHandler } from 'msw'
import type { SampleAnswer } from '../../sample/answer.ts'
import { answer } from '../answer.ts'
import { accountHandlers } from './account.ts'
import { analyticsHandlers } from './analytics.ts'
import { botHandlers } from './bots.ts'
import { campaignHandlers } from './campaigns.ts'
import { contactJobHandlers } from './contact-jobs.ts'
import { contactHandlers } from './contacts.ts'
import { figureHandlers } from './figures.ts'
import { inboxHandlers } from './inbox.ts'
import { numberHandlers } from './numbers.ts'
import { settingHandlers } from './settings.ts'
import { templateHandlers } from './templates.ts'
import { webhookHandlers } from './webhooks.ts'
import type { Workspace } from './workspace.ts'

const withoutService = import.meta.glob<readonly SampleAnswer[]>('../../sample/domains/*.ts', {
  eager: true,
  import: 'answers',
})

const live = [
  accountHandlers,
  settingHandlers,
  contactHandlers,
  contactJobHandlers,
  inboxHandlers,
  templateHandlers,
  campaignHandlers,
  numberHandlers,
  botHandlers,
  webhookHandlers,
  figureHandlers,
  analyticsHandlers,
]

/** Answers every domain from a workspace; those without a service as the page itself would. */
export function workspaceHandlers(workspace: Workspace): HttpHandler[] {
  const examples = Object.values(withoutService).flat()
  const handlers = [
    ...live.flatMap((handlersOf) => handlersOf(workspace)),
    ...examples.map(({ endpoint, reply }) => answer(endpoint, (input) => reply(input, workspace) as undefined)),
  ]
  // Static segments come before parameters: `/contacts/bulk` is no contact's id.
  const parameters = ({ info: { path } }: HttpHandler) => String(path).split(':').length
  return handlers.sort((left, right) => parameters(left) - parameters(right))
}
