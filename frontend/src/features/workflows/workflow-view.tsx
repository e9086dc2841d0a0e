import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { EditorSkeleton } from '../../flow-builder/editor-skeleton.tsx'
import { FlowEditor } from '../../flow-builder/lazy-flow-editor.tsx'
import { ApiError } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { useFlowChoices } from '../../lib/flow-choices.ts'
import { useGo } from '../../lib/navigation.ts'
import { ActionLink } from '../../ui/action.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { useUpdateWorkflow, workflowOptions } from './api.ts'
import { WorkflowStatus } from './workflow-status.tsx'

/** The builder of one workflow. */
export function WorkflowView({ id }: { id: string }) {
  const { data: workflow, error, isFetching, refetch } = useQuery(workflowOptions(id))
  const update = useUpdateWorkflow()
  const choices = useFlowChoices()
  const go = useGo()
  const leave = useCallback(() => void go('/workflows'), [go])
  if (error instanceof ApiError && error.status === 404)
    return (
      <Page>
        <EmptyState
          title="This workflow does not exist"
          message="It may have been deleted, or the link is not complete."
          action={<ActionLink to="/workflows">All workflows</ActionLink>}
        />
      </Page>
    )
  if (error && !isFetching)
    return (
      <Page>
        <ErrorState
          title="The workflow could not be loaded"
          message={explain(error, 'Nothing is lost. Check your connection and try again.')}
          onRetry={() => void refetch()}
        />
      </Page>
    )
  if (!workflow) return <EditorSkeleton />
  return (
    <FlowEditor
      what="workflow"
      name={workflow.name}
      draft={workflow.draft}
      status={<WorkflowStatus status={workflow.status} />}
      {...choices}
      saving={update.isPending}
      onSave={(draft) => update.mutateAsync({ workflow, patch: { draft } })}
      onRename={(name) => update.mutateAsync({ workflow, patch: { name } })}
      onLeave={leave}
    />
  )
}
