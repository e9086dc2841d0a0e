import { botsApi } from '@parley/contracts/automation/bots'
import { CreateFlowDialog } from '../../flow-builder/create-flow-dialog.tsx'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { explain } from '../../lib/explain.ts'
import { toast } from '../../ui/toast.ts'
import { bots } from './api.ts'

const sample = { flow: starterFlows.sample, label: 'Sample flow: keyword match, message, business-hours check' }

/** Names a new bot and says what its flow begins with. */
export function CreateBotDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = bots.useCreate()
  return (
    <CreateFlowDialog
      what="bot"
      nameSchema={botsApi.create.body.shape.name}
      sample={sample}
      pending={create.isPending}
      open={open}
      onCreate={(input, { onSuccess }) =>
        create.mutate(input, {
          onSuccess,
          onError: (error) => toast.error(explain(error, 'The bot could not be created.')),
        })
      }
      onClose={onClose}
    />
  )
}
