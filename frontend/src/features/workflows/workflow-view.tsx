import { useQuery } from '@tanstack/react-query'
import { FlowView } from '../../flow-builder/flow-view.tsx'
import { workflows } from './api.ts'

/** The builder of one workflow. */
export function WorkflowView({ id }: { id: string }) {
  const found = useQuery(workflows.oneOptions(id))
  const { mutateAsync } = workflows.useUpdate()
  return (
    <FlowView
      key={id}
      what="workflow"
      list="/workflows"
      found={found}
      onSave={mutateAsync}
      staleRecord={workflows.staleRecord}
    />
  )
}
