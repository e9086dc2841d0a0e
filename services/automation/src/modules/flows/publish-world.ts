import { maxMemberFacts, profileInternalApi } from '@parley/contracts/account/profile-internal'

import { type DraftFlow, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { PublishProblem } from '@parley/contracts/automation/publication'
import type { FormSummary } from '@parley/contracts/templates/forms'
import { waitingKinds } from '@parley/flow/branches'
import { compileFlow, triggersOf } from '@parley/flow/program'
import { publishProblems } from '@parley/flow/publish-problems'
import { createCommandReader } from '@parley/rules/consent-commands'
import { AppError } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { FlowRecord } from './flow-records.model.ts'
import type { FlowsRepository } from './flows.repository.ts'
import { maxKeywords, type RoutingRepository, routedTriggers } from './routing.ts'
import type { RunsOfFlows, WaitingRuns } from './runs-of-flows.ts'
import { freshEnrolment } from './show-flows.ts'

const maxSentence = 500
const maxTemplates = 200
const maxProblems = 500

interface Dependencies extends Pick<Platform, 'askMessaging' | 'askProfile'> {
  /** The flows that are checked. */
  readonly repository: Pick<FlowsRepository, 'kind'>
  /** Bots of the workspace. */
  readonly bots: Pick<FlowsRepository, 'all'>
  readonly routing: Pick<RoutingRepository, 'triggers'>
  readonly runs: Pick<RunsOfFlows, 'countWaiting'>
  /** Returns the ids of all connections. */
  readonly connectionIds: (scope: WorkspaceScope) => Promise<ReadonlySet<string>>
}

/** @returns all reasons against publishing a flow, by the present records of the workspace. @throws `service_unavailable`. */
export function createFindProblems({
  repository,
  bots: allBots,
  routing,
  runs,
  connectionIds: allConnections,
  askMessaging,
  askProfile,
}: Dependencies) {
  return async (scope: WorkspaceScope, record: FlowRecord, flow: DraftFlow): Promise<PublishProblem[]> => {
    // A flow with too many keywords is not checked further: each would be compared with those of all other bots.
    if (triggersOf(flow).length > maxKeywords)
      return [
        critical(
          'too_many_keywords',
          `A workspace has at most ${maxKeywords.toLocaleString('en')} keywords. Use fewer.`,
        ),
      ]
    const named = namedIn(flow)
    const failureTo = record.settings?.failureTo
    const memberIds = [...named.memberIds, ...(failureTo?.kind === 'member' ? [failureTo.memberId] : [])].filter(isId)
    const [lookups, members, segmentIds, bots, triggers, waiting, connectionIds] = await Promise.all([
      askMessaging(scope, messagingInternalApi.lookups, {
        body: { templateIds: named.templateIds.slice(0, maxTemplates), formIds: named.formIds.slice(0, maxTemplates) },
      }),
      askMembers(scope, memberIds),
      askSegments(scope, named.segmentIds),
      allBots.all(scope),
      routing.triggers(scope),
      runs.countWaiting(scope, record.id),
      allConnections(scope),
    ])
    const commands = createCommandReader(lookups.consentWords)
    const accounts = lookups.numbers
      .filter(({ id }) => record.numberIds.length === 0 || record.numberIds.includes(id))
      .map(({ businessAccountId }) => businessAccountId)
    const found = publishProblems(flow, {
      kind: repository.kind,
      botId: record.id,
      numberIds: record.numberIds,
      ...(record.settings && { idleHours: record.settings.idleHours }),
      startsOnce: repository.kind === 'workflow' && (record.enrolment ?? freshEnrolment).reEnrolment === 'never',
      templates: lookups.templates.map((template) => ({ ...template, isApproved: template.status === 'approved' })),
      memberIds: members,
      forms:
        lookups.forms &&
        new Map(lookups.forms.map((form) => [form.id, { ...form, elsewhere: elsewhereOf(form, accounts) }])),
      segmentIds,
      now: Date.now(),
      connectionIds,
      attributes: new Set(lookups.fields.map(({ name }) => name)),
      bots: bots.map(({ id, name, publishedVersion, leadsTo }) => ({
        id,
        name,
        isPublished: publishedVersion !== undefined,
        leadsTo,
      })),
      triggers: routedTriggers(triggers),
      isConsentWord: (text) => commands.ofText(text) !== undefined,
      waiting: waitingAt(waiting),
    }).map(({ code, severity, nodeId, message, owner }) => ({
      code,
      severity,
      ...(nodeId !== null && { nodeId }),
      sentence: message.slice(0, maxSentence),
      ...(owner && { owner }),
    }))
    const numbers = new Set(lookups.numbers.map(({ id }) => id))
    const botProblems: PublishProblem[] = [
      ...(record.numberIds.some((id) => !numbers.has(id))
        ? [critical('unknown_number', 'One of the bot’s numbers is no longer connected. Choose its numbers again.')]
        : []),
      ...(failureTo?.kind === 'member' && !members.has(failureTo.memberId)
        ? [
            critical(
              'unknown_failure_member',
              'The member who gets failed conversations is no longer in the workspace.',
            ),
          ]
        : []),
    ]
    return [...botProblems, ...found].slice(0, maxProblems)
  }

  /** Returns those of some segments that exist. */
  async function askSegments(scope: WorkspaceScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await Promise.all(
      [...new Set(ids)].map((segmentId) =>
        askMessaging(scope, messagingInternalApi.contacts, {
          body: { of: { segmentId, after: '', upTo: firstId, limit: 1 } },
        }).then(
          () => [segmentId],
          (error: unknown) => {
            if (error instanceof AppError && error.code === 'not_found') return []
            throw error
          },
        ),
      ),
    )
    return new Set(found.flat())
  }

  async function askMembers(scope: WorkspaceScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = [...new Set(ids)]
    const active = new Set<string>()
    for (let start = 0; start < wanted.length; start += maxMemberFacts) {
      const { items } = await askProfile(scope, profileInternalApi.members, {
        query: { ids: wanted.slice(start, start + maxMemberFacts) },
      })
      for (const member of items) if (member.active) active.add(member.id)
    }
    return active
  }
}

/** No contact has one as small. */
const firstId = '0'.repeat(24)

/** Adds up the sessions of all versions by their nodes. */
const waitingAt = (waiting: readonly WaitingRuns[]): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(waiting, ({ nodeId }) => nodeId)].map(([nodeId, counts]) => [
      nodeId,
      counts.reduce((total, { count }) => total + count, 0),
    ]),
  )

const critical = (code: string, sentence: string): PublishProblem => ({ code, severity: 'critical', sentence })

/** Returns whether numbers of these accounts cannot send a form. */
function elsewhereOf({ businessAccountId }: FormSummary, accounts: readonly string[]): 'none' | 'some' | 'all' {
  const others = accounts.filter((account) => account !== businessAccountId).length
  return others === 0 ? 'none' : others < accounts.length ? 'some' : 'all'
}

/** Names everything outside a flow that its nodes refer to. */
export function namedIn(flow: DraftFlow) {
  const settings = flow.nodes.flatMap((node) => {
    const parsed = nodeSettingsSchema.safeParse(node.settings)
    return parsed.success ? [parsed.data] : []
  })
  return {
    templateIds: [...new Set(settings.flatMap((node) => (node.kind === 'send_template' ? node.templateId : [])))],
    formIds: [...new Set(settings.flatMap((node) => (node.kind === 'form' ? node.formId : [])))],
    memberIds: settings.flatMap((node) =>
      node.kind === 'assign' && node.to.kind === 'member' ? node.to.memberId : [],
    ),
    segmentIds: settings.flatMap((node) => (node.kind === 'schedule' ? node.segmentId : [])),
    botIds: [...new Set(settings.flatMap((node) => (node.kind === 'go_to_bot' ? node.botId : [])))],
  }
}

/** Returns the events on which a flow starts. */
export const eventsOf = (flow: DraftFlow): string[] => [
  ...new Set(compileFlow(flow).events.map(({ settings: { event } }) => event)),
]

/** Returns bots to which a flow continues without asking or waiting for anything. */
export function ledTo({ nodes, edges }: DraftFlow): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const reached = new Set(nodes.filter(({ type }) => type === 'trigger').map(({ id }) => id))
  for (const id of reached) {
    if (waitingKinds.has(byId.get(id)?.settings.kind ?? '')) continue
    for (const { source, target } of edges) if (source === id) reached.add(target)
  }
  const bots = [...reached].flatMap((id) => {
    const settings = byId.get(id)?.settings
    return settings?.kind === 'go_to_bot' && typeof settings['botId'] === 'string' ? settings['botId'] : []
  })
  return [...new Set(bots)]
}
