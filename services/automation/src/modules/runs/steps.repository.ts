import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import { notDelivered, type StepRecord, stepSchema } from './steps.model.ts'

/** Actions that take effect once more when they are done again. */
const repeatedActions = ['send', 'send_template', 'note', 'http_call']
/** Maximum steps of a run that are shown. */
const maxShown = 1000

/** Stores the steps of runs. */
export function createSteps(connection: ServiceConnection) {
  const steps = workspaceCollection<StepRecord>({ connection, name: 'steps', schema: stepSchema })
  return {
    /** Writes steps; those that are there already stay as they are. */
    writeSteps: async (scope: WorkspaceScope, written: readonly Omit<StepRecord, 'id'>[]): Promise<void> => {
      if (written.length > 0) await steps(scope).insertPlain(written)
    },
    stepsOf: (scope: WorkspaceScope, runId: string) =>
      steps(scope).find({ runId }).sort({ n: 1 }).limit(maxShown).hint('run'),
    /** Finds the steps that sent some messages. */
    stepsThatSent: (scope: WorkspaceScope, messageIds: readonly string[], { session }: Session) =>
      steps(scope)
        .find({ messageId: { $in: messageIds } })
        .hint('message')
        .session(session),
    /** Marks a step whose message did not reach the customer. */
    markUndelivered: (scope: WorkspaceScope, id: string, { session }: Session) =>
      steps(scope).updateOne({ _id: id }, { $set: { code: notDelivered } }, { session }),
    /** Returns those of some runs with a step that may have been done although nothing has told so. */
    uncertainOf: async (scope: WorkspaceScope, runIds: readonly string[], codes: readonly string[]) => {
      const found = await steps(scope)
        .find({ runId: { $in: runIds }, outcome: 'refused', code: { $in: codes }, action: { $in: repeatedActions } })
        .hint('run')
      return new Set(found.map(({ runId }) => runId))
    },
  }
}
