import { html, nothing, type TemplateResult } from 'lit-html'
import { type IconName, icon } from './icons.ts'
import { state, update } from './state.ts'
import type { Phone } from './types.ts'

export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  readonly isDangerous?: boolean
  /** State of an item that can be switched on. */
  readonly checked?: boolean
  readonly run: () => unknown
}

export function toggleMenu(phone: Phone, name: string): void {
  phone.menu = phone.menu === name ? undefined : name
  update()
}

export function closeMenus(): void {
  if (state.phones.every(({ menu }) => menu === undefined)) return
  for (const phone of state.phones) phone.menu = undefined
  update()
}

/** Shows a menu: the arrows move in it, Escape leaves it. @param before stands above the items. */
export function menuView(
  phone: Phone,
  { label, items, before }: { label: string; items: readonly MenuItem[]; before?: TemplateResult },
): TemplateResult {
  const press = ({ run }: MenuItem) => {
    phone.menu = undefined
    update()
    run()
  }
  return html`<div class="menu" role="menu" aria-label=${label} @keydown=${(event: KeyboardEvent) => move(event, phone)}>
    ${before ?? ''}
    ${items.map(
      (item, index) => html`<button
        role=${item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
        aria-checked=${item.checked ?? nothing}
        class=${item.isDangerous ? 'dangerous' : ''}
        ?data-takes-focus=${index === 0 && !before}
        @click=${() => press(item)}
      >${item.icon ? icon(item.icon) : ''}<span>${item.label}</span>${item.checked ? icon('check', 18) : ''}</button>`,
    )}
  </div>`
}

function move(event: KeyboardEvent, phone: Phone): void {
  const menu = event.currentTarget as HTMLElement
  const buttons = [...menu.querySelectorAll<HTMLElement>('button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  const steps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }
  const step = steps[event.key]
  if (step !== undefined) buttons.at((at + step) % buttons.length)?.focus()
  else if (event.key === 'Home') buttons[0]?.focus()
  else if (event.key === 'End') buttons.at(-1)?.focus()
  else if (event.key === 'Escape' || event.key === 'Tab') {
    menu.parentElement?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
    phone.menu = undefined
    update()
    if (event.key === 'Tab') return
  } else return
  event.preventDefault()
  event.stopPropagation()
}
