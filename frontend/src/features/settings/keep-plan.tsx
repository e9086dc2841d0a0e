import { Button } from 'antd'
import { useKeepPlan } from './billing-api.ts'

/** Takes back that a smaller plan was chosen. */
export function KeepPlan({ plan }: { plan: string }) {
  const keep = useKeepPlan()
  return (
    <Button loading={keep.isPending} onClick={() => keep.mutate()}>
      Keep {plan}
    </Button>
  )
}
