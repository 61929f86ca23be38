//! Elements of BPMN that are known, and why they are not in the model.

/// Elements that describe, document or wire data, and have no part in the order in which things happen. They are
/// skipped with everything inside, wherever they stand.
pub(super) fn is_silent(local: &str) -> bool {
    is_description(local) || is_data(local) || is_detail(local)
}

/// What people read, or what is derived from `sourceRef` and `targetRef`.
fn is_description(local: &str) -> bool {
    matches!(
        local,
        "documentation"
            | "auditing"
            | "monitoring"
            | "rendering"
            | "category"
            | "categoryValueRef"
            | "extension"
            | "relationship"
            | "incoming"
            | "outgoing"
            | "source"
            | "target"
            | "messageFlowRef"
            | "participantRef"
            | "choreographyRef"
            | "partitionElement"
            | "partitionElementRef"
    )
}

/// Data that goes in and out of activities and events.
fn is_data(local: &str) -> bool {
    matches!(
        local,
        "ioSpecification"
            | "ioBinding"
            | "dataInput"
            | "dataOutput"
            | "inputSet"
            | "outputSet"
            | "dataInputAssociation"
            | "dataOutputAssociation"
            | "property"
            | "dataState"
            | "dataStore"
            | "itemDefinition"
    )
}

/// Who or what does the work, and parts of elements of which the model keeps the whole.
fn is_detail(local: &str) -> bool {
    matches!(
        local,
        "resource"
            | "resourceRole"
            | "performer"
            | "humanPerformer"
            | "potentialOwner"
            | "interface"
            | "operationRef"
            | "supportedInterfaceRef"
            | "supports"
            | "interfaceRef"
            | "endPoint"
            | "endPointRef"
            | "partnerEntity"
            | "partnerRole"
            | "script"
            | "loopCardinality"
            | "loopDataInputRef"
            | "loopDataOutputRef"
            | "inputDataItem"
            | "outputDataItem"
            | "loopCondition"
            | "completionCondition"
            | "complexBehaviorDefinition"
            | "conversationLink"
            | "conversationAssociation"
            | "participantAssociation"
            | "messageFlowAssociation"
    )
}

/// Elements that BPMN has and that would do something, but that are never executed here.
pub(super) fn is_not_executed(local: &str) -> bool {
    matches!(
        local,
        "choreography"
            | "globalChoreographyTask"
            | "choreographyTask"
            | "subChoreography"
            | "callChoreography"
            | "globalConversation"
            | "globalTask"
            | "globalBusinessRuleTask"
            | "globalManualTask"
            | "globalScriptTask"
            | "globalUserTask"
            | "participantMultiplicity"
            | "correlationSubscription"
            | "implicitThrowEvent"
            | "event"
    )
}
