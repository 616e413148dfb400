import remarkValidateLinks from 'remark-validate-links';
import { visit } from 'unist-util-visit';

/** Lets links lead to `<a id="…">`, too. */
const htmlAnchors = () => (tree) =>
  visit(tree, 'html', (node) => {
    const id = /<a (?:id|name)="([^"]+)"/.exec(node.value)?.[1];
    if (id !== undefined) node.data = { hProperties: { id } };
  });

export default { plugins: [htmlAnchors, [remarkValidateLinks, { repository: false }]] };
