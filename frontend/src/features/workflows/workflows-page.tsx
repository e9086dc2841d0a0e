import { lazy, Suspense } from 'react'
import { EditorSkeleton } from '../../flow-builder/editor-skeleton.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { workflowsUrlShape } from './url.ts'
import { WorkflowList } from './workflow-list.tsx'

/** The builder of one workflow, loaded when it is first opened. */
const WorkflowView = lazy(async () => ({ default: (await import('./workflow-view.tsx')).WorkflowView }))

/** The list of workflows, with the editor where the address asks for it. */
export function WorkflowsPage() {
  const [url, change] = useUrlState(workflowsUrlShape)
  return url.workflow ? (
    <Suspense fallback={<EditorSkeleton />}>
      <WorkflowView key={url.workflow} id={url.workflow} url={url} change={change} />
    </Suspense>
  ) : (
    <WorkflowList url={url} change={change} />
  )
}
