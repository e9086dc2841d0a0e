import type { KeyScope } from '@parley/contracts/account/api-keys'
import { Checkbox } from 'antd'
import { useId } from 'react'
import { type Control, useController } from 'react-hook-form'
import styles from './api-keys.module.css'
import { actionLabel, type KeyForm, scopeGroups } from './key-form.ts'

/** Choice of scopes, grouped by resource. */
export function ScopeFields({ control }: { control: Control<KeyForm> }) {
  const id = useId()
  const { field, fieldState } = useController({ control, name: 'scopes' })
  const chosen: readonly KeyScope[] = field.value
  const change = (scope: KeyScope, isOn: boolean) =>
    field.onChange(isOn ? [...chosen, scope] : chosen.filter((other) => other !== scope))
  const error = fieldState.error?.message
  return (
    <fieldset className={styles['scopeFields']} {...(error && { 'aria-describedby': id })}>
      <legend>Scopes</legend>
      {scopeGroups.map(({ label, scopes }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be read with both legends each time.
        <div key={label} role="group" aria-label={label} className={styles['scopeRow']}>
          <span>{label}</span>
          <div className={styles['scopeBoxes']}>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                checked={chosen.includes(scope)}
                onChange={({ target }) => change(scope, target.checked)}
                aria-label={`${label}: ${actionLabel(scope)}`}
              >
                {actionLabel(scope)}
              </Checkbox>
            ))}
          </div>
        </div>
      ))}
      {error && (
        <p id={id} className={styles['error']}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
