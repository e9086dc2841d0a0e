import { useQuery } from '@tanstack/react-query'
import { FlowView } from '../../flow-builder/flow-view.tsx'
import { bots } from './api.ts'

/** The builder of one bot. */
export function BotView({ id }: { id: string }) {
  const found = useQuery(bots.oneOptions(id))
  const { mutateAsync } = bots.useUpdate()
  return <FlowView key={id} what="bot" list="/bots" found={found} onSave={mutateAsync} staleRecord={bots.staleRecord} />
}
