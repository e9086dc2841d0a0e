import { botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { BotSummary } from '@parley/contracts/automation/bot-summary'
import type { BotRecord, botsApi } from '@parley/contracts/automation/bots'
import type { Workflow, WorkflowSummary, workflowsApi } from '@parley/contracts/automation/workflows'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { AutomationHint } from '@parley/contracts/platform/event-stream'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { createOneAtATime } from '../../platform/one-at-a-time.ts'
import type { Platform, Session } from '../../platform/platform.ts'
import { createFlowChecks } from './flow-checks.ts'
import type { FlowStore } from './flow-store.ts'
import { createFlowTests, type FactsOfTests } from './flow-tests.ts'
import type { FlowsRepository } from './flows.repository.ts'
import { createFlowsService } from './flows.service.ts'
import { createPublication } from './publication.ts'
import { createFindProblems } from './publish-world.ts'
import type { RunsOfFlows } from './runs-of-flows.ts'
import {
  createShowBots,
  createShowWorkflows,
  createSummarizeWorkflows,
  freshEnrolment,
  type ShowFlowsDependencies,
} from './show-flows.ts'
import { createTellMessaging } from './tell-messaging.ts'
import { createVersions } from './versions.ts'

/** Days for which a deleted flow can be restored. */
const keptDays = 30

interface Dependencies extends ShowFlowsDependencies {
  readonly store: FlowStore
  readonly runs: RunsOfFlows
  readonly beginFeed: (scope: WorkspaceScope) => Promise<unknown>
  readonly settings: Parameters<typeof createTellMessaging>[0]['settings']
  readonly factsOf: FactsOfTests
  /** Revokes the addresses of a flow that is forgotten: until then its deletion can be undone. */
  readonly revokeHooks: (scope: WorkspaceScope, flowId: string, tx: Session) => Promise<unknown>
  readonly connections: {
    readonly connectionIds: Parameters<typeof createFindProblems>[0]['connectionIds']
    readonly countConnections: Parameters<typeof createPublication>[0]['countConnections']
  }
}

/** Builds, publishes, starts and deletes bots and workflows for people. */
export function createFlows(
  platform: Platform,
  { store, runs, settings, beginFeed, factsOf, connections, revokeHooks, figuresOf, countOpen }: Dependencies,
) {
  const { table: routing } = store
  const messaging = createTellMessaging({ ...platform, ...store, routing, runs, settings, beginFeed })
  const shared = {
    ...platform,
    ...connections,
    routing,
    runs,
    oneAtATime: createOneAtATime(),
    tell: messaging.tell,
  }
  const shown = { figuresOf, countOpen }
  const tellPages = ({ workspaceId }: WorkspaceScope, hint: AutomationHint) =>
    void platform.publish(workspaceId, 'automation', hint)

  const botParts = {
    ...shared,
    repository: store.bots,
    show: createShowBots({ ...shown, repository: store.bots }),
    tellPages: (scope: WorkspaceScope, id: string) => tellPages(scope, { kind: 'bot', id }),
  }
  const botTests = createFlowTests({ ...botParts, factsOf })
  const bots = {
    ...botTests,
    ...createFlowsService<BotSummary, BotRecord, EndpointInput<typeof botsApi.update>['body']>({
      ...botParts,
      fresh: { settings: botSettingsSchema.parse({}), numberIds: [] },
      merge: (before, { version: _, settings, ...change }) => ({
        ...change,
        settings: settings && botSettingsSchema.parse({ ...before.settings, ...omitUndefined(settings) }),
      }),
    }),
    ...createPublication({
      ...botParts,
      checks: createFlowChecks({
        ...botParts,
        findProblems: createFindProblems({ ...botParts, bots: store.bots }),
        failingTests: botTests.problems,
      }),
    }),
    ...createVersions(botParts),
    /** Forgets bots that were deleted 30 days ago. */
    removal: createRemoval(platform, store.bots, revokeHooks),
  }

  const workflowParts = {
    ...shared,
    repository: store.workflows,
    show: createShowWorkflows({ ...shown, repository: store.workflows, nextStartsOf: store.schedules.nextOf }),
    tellPages: (scope: WorkspaceScope, id: string) => tellPages(scope, { kind: 'workflow', id }),
  }
  const workflowTests = createFlowTests({ ...workflowParts, factsOf })
  const workflows = {
    ...workflowTests,
    ...createFlowsService<WorkflowSummary, Workflow, EndpointInput<typeof workflowsApi.update>['body']>({
      ...workflowParts,
      fresh: { enrolment: freshEnrolment, numberIds: [] },
      merge: (before, { version: _, name, draft, ...enrolment }) => {
        const changed = omitUndefined(enrolment)
        const hasChanged = Object.keys(changed).length > 0
        return {
          name,
          draft,
          ...(hasChanged && { enrolment: { ...freshEnrolment, ...before.enrolment, ...changed } }),
        }
      },
    }),
    ...createPublication({
      ...workflowParts,
      checks: createFlowChecks({
        ...workflowParts,
        findProblems: createFindProblems({ ...workflowParts, bots: store.bots }),
        failingTests: workflowTests.problems,
      }),
    }),
    ...createVersions(workflowParts),
    summary: createSummarizeWorkflows({ ...shown, repository: store.workflows }),
    removal: createRemoval(platform, store.workflows, revokeHooks),
  }

  return {
    bots,
    workflows,
    /** Tells messaging where flows are active. */
    telling: { perform: messaging.perform, due: messaging.due, tellSettings: messaging.tellSettings },
  }
}

const createRemoval = (
  { transaction }: Pick<Platform, 'transaction'>,
  repository: FlowsRepository,
  revokeHooks: Dependencies['revokeHooks'],
) => ({
  perform: ({ id, ...scope }: JobRecord) =>
    transaction(async (tx) => {
      if (await repository.forget(scope, id, tx)) await revokeHooks(scope, id, tx)
    }),
  due: async (): Promise<JobRecord[]> =>
    (await repository.removable(new Date(Date.now() - keptDays * 86_400_000))).map(({ id, workspaceId }) => ({
      id,
      workspaceId,
    })),
})
