import CheckOutlined from '@ant-design/icons/CheckOutlined'
import SwapOutlined from '@ant-design/icons/SwapOutlined'
import { workspaceApi } from '@parley/contracts/account/workspace'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { workspaceKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { useUser } from '../../lib/user.ts'
import { goToWorkspace } from '../../lib/workspace.ts'
import { toast } from '../../ui/toast.ts'
import styles from './workspace-switcher.module.css'

const workspacesOptions = () =>
  queryOptions({
    queryKey: workspaceKeys.list,
    queryFn: async ({ signal }) => (await call(workspaceApi.list, { signal })).items,
  })

/** The name of the workspace as a button that opens the person's others; the name alone where there is one. */
export function WorkspaceSwitcher({ name, children }: { name: string; children: ReactNode }) {
  const { data: workspaces = [] } = useQuery(workspacesOptions())
  const current = useUser().data?.workspaceId
  const [open, setOpen] = useState(false)
  const list = useId()
  const button = useRef<HTMLButtonElement>(null)
  const go = useChange({
    run: (id: string) => goToWorkspace(id),
    onError: (error) => toast.error(explain(error, 'The workspace could not be opened. Try again.')),
  })
  if (workspaces.length < 2) return children

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and a focus that leaves close what the button opens.
    <div
      className={styles['switcher']}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className={styles['button']}
        aria-expanded={open}
        aria-controls={list}
        aria-label={`${name}: change workspace`}
        onClick={() => setOpen(!open)}
      >
        {children}
        <SwapOutlined aria-hidden className={styles['mark'] ?? ''} />
      </button>
      <ul id={list} hidden={!open} className={styles['list']} aria-label="Your workspaces">
        {workspaces.map((workspace) => (
          <li key={workspace.id}>
            <button
              type="button"
              className={styles['choice']}
              aria-current={workspace.id === current}
              disabled={go.isPending}
              onClick={() => (workspace.id === current ? setOpen(false) : go.mutate(workspace.id))}
            >
              <span className={styles['name']} dir="auto">
                {workspace.name}
              </span>
              {workspace.id === current && <CheckOutlined aria-hidden />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
