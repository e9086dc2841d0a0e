import { createDeviceSwitch } from './device-switch.ts'

/**
 * Tells whether shortcuts of a single character work. People who dictate or press keys by accident can switch them off (WCAG 2.1.4).
 */
export const {
  get: areCharacterKeysOn,
  set: setCharacterKeys,
  use: useCharacterKeys,
} = createDeviceSwitch('character_keys')
