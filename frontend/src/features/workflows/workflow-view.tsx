import { useQuery } from '@tanstack/react-query'
import { FlowView } from '../../flow-builder/flow-view.tsx'
import { workflows } from './api.ts'

/** The builder of one workflow. */
export function WorkflowView({ id }: { id: string }) {
  const found = useQuery(workflows.oneOptions(id))
  const { mutateAsync, isPending } = workflows.useUpdate()
  return (
    <FlowView
      key={id}
      what="workflow"
      list="/workflows"
      found={found}
      saving={isPending}
      onSave={mutateAsync}
      staleRecord={workflows.staleRecord}
    />
  )
}
