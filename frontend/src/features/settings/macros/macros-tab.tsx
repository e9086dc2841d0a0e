import { type Macro, macroActionLabel } from '@parley/contracts/inbox/macros'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { macroChoices } from '../../../lib/choices/macros.ts'
import { useIsRefused, useMemberName } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { offerUndo } from '../../../lib/undo.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { SkeletonTable } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { toast } from '../../../ui/toast.ts'
import named from '../named-list.module.css'
import { SettingsCard } from '../settings-card.tsx'
import { MacroDialog } from './macro-dialog.tsx'
import styles from './macros.module.css'
import { useRemoveMacro, useSaveMacro } from './macros-api.ts'

/** Named lists of actions that are run on a conversation. */
export function MacrosTab() {
  const mayNotWrite = useIsRefused('conversations:write')
  const { data, error, isFetching, refetch } = useQuery(macroChoices())
  const [edited, setEdited] = useState<Macro | 'new'>()
  return (
    <div className={named['tab']}>
      <SettingsCard
        title="Macros"
        badge={
          !mayNotWrite && (
            <Button type="primary" className={named['new'] ?? ''} onClick={() => setEdited('new')}>
              Create Macro
            </Button>
          )
        }
        lead={
          mayNotWrite
            ? 'Several actions in one, run on a conversation. Your role cannot change or run them.'
            : 'Several actions in one: run from the composer of a conversation or with Ctrl K. Each is done as whoever runs it could by hand, or refused.'
        }
      >
        {data ? (
          data.length > 0 ? (
            <ul className={named['list']} aria-label="Macros">
              {data.map((macro) => (
                <Row key={macro.id} macro={macro} onEdit={mayNotWrite ? undefined : () => setEdited(macro)} />
              ))}
            </ul>
          ) : (
            <div>
              <EmptyState
                title="No macros yet"
                message="Put what you often do together under one name: tag the customer, answer, and close the conversation."
              />
            </div>
          )
        ) : error && !isFetching ? (
          <ErrorState message="The macros could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <SkeletonTable rows={2} height="64px" />
        )}
      </SettingsCard>
      <MacroDialog
        open={edited !== undefined}
        macro={edited === 'new' ? undefined : edited}
        onClose={() => setEdited(undefined)}
      />
    </div>
  )
}

function Row({ macro, onEdit }: { macro: Macro; onEdit: (() => void) | undefined }) {
  const { id, name, actions, problems } = macro
  const nameOf = useMemberName()
  const remove = useRemoveMacro()
  const save = useSaveMacro()
  const deleteMacro = () =>
    remove.mutate(id, {
      onSuccess: () =>
        offerUndo(`Macro ${name} deleted.`, async () => {
          await save.mutateAsync({ of: undefined, fields: { name, actions } })
        }),
      onError: (error) => toast.error(explain(error, 'The macro could not be deleted. Try again.')),
    })
  return (
    <li className={named['row']}>
      <div className={named['name']}>
        <b dir="auto">{name}</b>
        <span className={named['quiet']}>
          {actions.map((action) => macroActionLabel(action, (member) => nameOf(member) ?? 'a member')).join(' · ')}
        </span>
        {problems.map(({ index, message }) => (
          <span key={index} className={styles['problem']}>
            Action {index + 1}: {message}
          </span>
        ))}
      </div>
      {problems.length > 0 && <StatusBadge tone="danger">Cannot run</StatusBadge>}
      {onEdit && (
        <RowMenu
          label={`Actions for ${name}`}
          actions={[
            { key: 'edit', label: 'Edit', onSelect: onEdit },
            { key: 'remove', label: 'Delete', danger: true, onSelect: deleteMacro },
          ]}
        />
      )}
    </li>
  )
}
