import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import { ApiError } from '../lib/api.ts'
import { explain } from '../lib/explain.ts'
import { useFlowChoices } from '../lib/flow-choices.ts'
import { useNavigate } from '../lib/navigation.ts'
import { NotHere } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page } from '../ui/page.tsx'
import type { Choices, Drawn, EditorHandle, FlowKind } from './builder-context.ts'
import { EditorSkeleton } from './editor-skeleton.tsx'
import { FlowStatus, type FlowStatusName } from './flow-status.tsx'
import type { NewFlowTest } from './flow-tests.ts'
import { FlowEditor } from './lazy-flow-editor.tsx'
import { useFlowSaves } from './use-flow-saves.ts'

interface Flow {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly status: FlowStatusName
  readonly draft: DraftFlow
}

/** The builder of one bot or workflow, or why it cannot be shown. */
export function FlowView<R extends Flow>({
  what,
  list,
  found: { data, error, isFetching, refetch },
  onSave,
  staleRecord,
  badge,
  actions,
  panel,
  panelTitle,
  onPanelClose,
  drawn,
  facts,
  onKeepTest,
  children,
}: {
  what: FlowKind
  /** Path of the list that it belongs to. */
  list: string
  found: Pick<UseQueryResult<R>, 'data' | 'error' | 'isFetching' | 'refetch'>
  onSave: (change: { id: string; version: number; draft?: DraftFlow; name?: string }) => Promise<R>
  /** Returns the record from a refusal because another member has changed it. */
  staleRecord: (error: unknown) => R | undefined
  /** Badge beside the status. */
  badge?: (record: R) => ReactNode
  /** Commands beside the one that saves. */
  actions?: (record: R, editor: EditorHandle) => ReactNode
  /** Stands in place of the inspector. */
  panel?: ((record: R, editor: EditorHandle) => ReactNode) | undefined
  panelTitle?: string | undefined
  onPanelClose?: () => void
  drawn?: Drawn | undefined
  /** Settings that the test panel uses. */
  facts?: (record: R) => Choices['facts']
  onKeepTest?: ((test: NewFlowTest) => Promise<unknown>) | undefined
  /** Dialogs over the builder. */
  children?: (record: R) => ReactNode
}) {
  const choices = useFlowChoices()
  const saves = useFlowSaves({ data, onSave, staleRecord })
  const navigate = useNavigate()
  const leave = useCallback(() => void navigate(list), [navigate, list])
  if (error instanceof ApiError && error.status === 404)
    return (
      <Page>
        <NotHere what={what} onLeave={leave} />
      </Page>
    )
  if (error && !data && !isFetching)
    return (
      <Page>
        <ErrorState
          title={`The ${what} could not be loaded`}
          message={explain(error, 'Nothing is lost. Check your connection and try again.')}
          onRetry={() => void refetch()}
        />
      </Page>
    )
  if (!data) return <EditorSkeleton />
  return (
    <>
      <FlowEditor
        what={what}
        name={data.name}
        draft={data.draft}
        status={
          <>
            <FlowStatus status={data.status} />
            {badge?.(data)}
          </>
        }
        actions={actions && ((editor) => actions(data, editor))}
        panel={panel && ((editor) => panel(data, editor))}
        panelTitle={panelTitle}
        onPanelClose={onPanelClose}
        drawn={drawn}
        onKeepTest={onKeepTest}
        facts={facts?.(data)}
        workflowId={what === 'workflow' ? data.id : undefined}
        {...choices}
        {...saves}
        onLeave={leave}
      />
      {children?.(data)}
    </>
  )
}
