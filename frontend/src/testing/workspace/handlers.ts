import type { HttpHandler } from 'msw'
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
import { workflowHandlers } from './workflows.ts'
import type { Workspace } from './workspace.ts'

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
  workflowHandlers,
  webhookHandlers,
  figureHandlers,
  analyticsHandlers,
]

/** Answers every domain from a workspace. */
export function workspaceHandlers(workspace: Workspace): HttpHandler[] {
  const handlers = live.flatMap((handlersOf) => handlersOf(workspace))
  // Static segments come before parameters: `/contacts/bulk` is no contact's id.
  const parameters = ({ info: { path } }: HttpHandler) => String(path).split(':').length
  return handlers.sort((left, right) => parameters(left) - parameters(right))
}
