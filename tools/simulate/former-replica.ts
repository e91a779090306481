// Copied into the checkout of a former version. Its bundle exports what a simulated world needs to start a replica.
export { loadTexts } from '../../src/texts/texts.ts'
export { startReplica } from './replica.ts'
export { configOf } from './settings.ts'
export { enter, leave } from './stand-ins/surroundings.ts'
