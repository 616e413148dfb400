/** The types of `#lit`, whatever file a runtime finds under that name. */
export * from 'lit';
