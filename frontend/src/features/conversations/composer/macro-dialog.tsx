import type { Conversation } from '@parley/contracts/inbox/conversations'
import { type Macro, type MacroAction, macroActionLabel } from '@parley/contracts/inbox/macros'
import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import { useQuery } from '@tanstack/react-query'
import { Alert, Select } from 'antd'
import { useState } from 'react'
import { macroChoices } from '../../../lib/choices/macros.ts'
import { useIsRefused, useMemberName } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { Link } from '../../../lib/navigation.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { WhatsAppText } from '../../../ui/whatsapp-text.tsx'
import { contactValues } from './contact-variables.ts'
import styles from './macro-dialog.module.css'
import { useRunMacro } from './macros-api.ts'

interface Props {
  readonly conversation: Conversation
  /** The macro that was chosen; absent while one is to be chosen here. */
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
  /** @param ends true where the conversation was closed or snoozed. */
  readonly onRun: (ends: boolean) => void
  readonly onClose: () => void
}

/** Shows what a macro does here, before it is run. */
export function MacroDialog({ conversation, chosen, onChoose, onRun, onClose }: Props) {
  const { data: macros, isLoadingError, refetch } = useQuery(macroChoices())
  const macro = macros?.find(({ id }) => id === chosen)
  const run = useRunMacro(conversation.id)
  const [refusal, setRefusal] = useState<string>()
  const [isPartlyDone, setPartlyDone] = useState(false)
  const problems = useProblems(macro)
  const isRunnable = macro !== undefined && problems.every((problem) => problem === undefined) && !isPartlyDone

  function submit(): void {
    if (!macro || !isRunnable) return
    setRefusal(undefined)
    run.mutate(macro, {
      onSuccess: ({ refused }) => {
        if (refused) {
          setPartlyDone(true)
          setRefusal(refused.message)
          return
        }
        toast.success(`${macro.name}: done.`)
        onRun(macro.actions.some(({ kind }) => kind === 'close' || kind === 'snooze'))
      },
      onError: (error) => {
        setRefusal(explain(error, 'The macro could not be run. Nothing was done.'))
        void refetch()
      },
    })
  }

  return (
    <FormDialog
      open
      title="Run a macro"
      submitLabel="Run Macro"
      submitDisabled={!isRunnable}
      pending={run.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {isLoadingError ? (
        <ErrorState message="The macros could not be loaded." onRetry={() => void refetch()} />
      ) : !macros ? (
        <SkeletonBar height="96px" />
      ) : macros.length === 0 ? (
        <p>
          There are no macros yet. <Link to="/settings?tab=macros">Create one in the settings</Link>: several actions
          under one name.
        </p>
      ) : (
        <>
          <Select
            aria-label="Macro"
            placeholder="Choose a macro"
            showSearch={{ optionFilterProp: 'label' }}
            value={macro?.id ?? null}
            options={macros.map(({ id, name }) => ({ value: id, label: name }))}
            getPopupContainer={popupInside}
            onChange={(id) => {
              setRefusal(undefined)
              setPartlyDone(false)
              if (id) onChoose(id)
            }}
          />
          {chosen !== undefined && !macro && <p role="alert">This macro was deleted. Choose another one.</p>}
          {macro && (
            <ol className={styles['steps']} aria-label="What it does">
              {macro.actions.map((action, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one version do not move.
                <Step key={index} action={action} problem={problems[index]} contact={conversation.contact} />
              ))}
            </ol>
          )}
          {refusal && <Alert type="error" showIcon title={refusal} />}
        </>
      )}
    </FormDialog>
  )
}

function Step({
  action,
  problem,
  contact,
}: {
  action: MacroAction
  problem: string | undefined
  contact: Conversation['contact']
}) {
  const nameOf = useMemberName()
  return (
    <li>
      <span>{macroActionLabel(action, (id) => nameOf(id) ?? 'a member')}</span>
      {'text' in action && (
        <span className={styles['text']} dir="auto">
          {action.kind === 'reply' ? (
            <WhatsAppText text={fillPlaceholders(action.text, contactValues(contact))} />
          ) : (
            action.text
          )}
        </span>
      )}
      {problem && <span className={styles['problem']}>{problem}</span>}
    </li>
  )
}

/** Returns what keeps each action from being carried out, as far as it is known before. */
function useProblems(macro: Macro | undefined): (string | undefined)[] {
  const mayNotTag = useIsRefused('contacts:write')
  const mayNotAssign = useIsRefused('conversations:assign')
  return (macro?.actions ?? []).map(({ kind }, index) => {
    if (mayNotTag && (kind === 'add_tag' || kind === 'remove_tag')) return 'You may not change contacts.'
    if (mayNotAssign && (kind === 'assign' || kind === 'unassign')) return 'You may not assign conversations.'
    return macro?.problems.find((problem) => problem.index === index)?.message
  })
}
