"""Kubernetes' own predicates and priorities, one concern a file.

Each file holds the rule, the predicate or priority that asks it, and at its foot the specs.
`kubesched.config` gathers them into registries and providers.
"""
