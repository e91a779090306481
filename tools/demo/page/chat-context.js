/** @import { ChatMessage } from '../api.ts' */

/**
 * What a message needs from its chat.
 *
 * @typedef {import('./rich-text.js').TextActions & import('./inline-keyboard.js').ButtonActions & import('./media.js').MediaContext & {
 *   senderOf: (message: ChatMessage) => string,
 *   find: (messageId: number) => ChatMessage | undefined,
 *   show: (messageId: number) => void,
 *   menu: (message: ChatMessage, event: MouseEvent) => void,
 * }} ChatContext
 */

export {}
