import NodeIndexOutlined from '@ant-design/icons/NodeIndexOutlined'
import { idSchema } from '@parley/contracts/core/records'
import { flowListShape } from '../../flow-builder/flow-list.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { Examples } from '../../ui/examples.tsx'
import { WorkflowList } from './workflow-list.tsx'
import { WorkflowView } from './workflow-view.tsx'

/** `workflow` is the workflow whose builder is open. */
const shape = { ...flowListShape, workflow: idSchema.optional() }

/** The list of workflows, with the editor where the address asks for it. */
export function WorkflowsPage() {
  const [url, change] = useUrlState(shape)
  return (
    <Examples of="workflows" what="workflows" icon={<NodeIndexOutlined />}>
      {url.workflow ? (
        <WorkflowView key={url.workflow} id={url.workflow} />
      ) : (
        <WorkflowList url={url} change={change} />
      )}
    </Examples>
  )
}
