/** A default export that is no subject: a store, where a way to open stores is wanted. */
const notASubject: { readonly name: string; readonly list: () => readonly never[] } = { name: 'store', list: () => [] };
export default notASubject;
