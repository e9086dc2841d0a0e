import type { ActionFacts } from '@parley/contracts/automation/internal-actions'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AskService } from '../../platform/platform.ts'
import { placeOf } from './run-places.ts'
import type { RunRecord } from './runs.model.ts'

/** Reads contact and conversation of runs as they are now; `undefined` where the conversation is gone. */
export const createAskFacts =
  (askMessaging: AskService) =>
  (scope: WorkspaceScope, run: RunRecord): Promise<ActionFacts | undefined> => {
    const by = { kind: run.kind, id: run.flowId, runId: run.id }
    const body = { ...placeOf(run), by, chain: [], actions: [] }
    return askMessaging(scope, messagingInternalApi.actions, { body }).then(
      ({ facts }) => facts,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return undefined
        throw error
      },
    )
  }
